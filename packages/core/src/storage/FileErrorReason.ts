/** Messages for error codes of file systems and SQLite, written for the operator of Lectern. */
const reasons: { readonly [code: string]: string } = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "it is read-only",
  ENOENT: "it isn't there",
  EEXIST: "there is something else in its place",
  ENOTDIR: "there is a file in its place, or in its way",
  EISDIR: "it is a folder",
  ENOSPC: "there is no room left",
  EDQUOT: "there is no room left",
  ENAMETOOLONG: "its name is too long",
  ELOOP: "its links lead in a circle",
  EIO: "the disk fails",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  ERR_ENCODING_INVALID_ENCODED_DATA: "it is no text in UTF-8",
  SQLITE_CORRUPT: "it is damaged",
  SQLITE_FULL: "there is no room left",
  SQLITE_IOERR: "the disk fails",
  SQLITE_NOTADB: "it is no database"
}

export const fileErrorReason = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return "for an unknown reason"
  const code = "code" in thrown ? String(thrown.code) : ""
  // Codes of SQLite end in the failed operation, as in `SQLITE_IOERR_READ`.
  const [kind = code] = /^SQLITE_[A-Z]+/.exec(code) ?? []
  return reasons[kind] ?? (code || thrown.message || "for an unknown reason")
}

/** Messages for error codes of file systems and SQLite, written for the operator of Lectern. */
const reasons: { readonly [code: string]: string } = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "it is read-only",
  ENOENT: "it does not exist",
  EEXIST: "another file or folder has its name",
  ENOTDIR: "a file has its name, or the name of a parent folder",
  EISDIR: "it is a folder",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk is full",
  ENAMETOOLONG: "its name is too long",
  ELOOP: "its symbolic links form a loop",
  EIO: "the disk reported an error",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  ERR_ENCODING_INVALID_ENCODED_DATA: "it is not valid UTF-8",
  SQLITE_CORRUPT: "it is damaged",
  SQLITE_FULL: "the disk is full",
  SQLITE_IOERR: "the disk reported an error",
  SQLITE_NOTADB: "it is not a database"
}

export const fileErrorReason = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return "for an unknown reason"
  const code = "code" in thrown ? String(thrown.code) : ""
  // The last part of the code is removed, since codes of SQLite end in the failed operation, as in `SQLITE_IOERR_READ`.
  const [kind = code] = /^SQLITE_[A-Z]+/.exec(code) ?? []
  return reasons[kind] ?? (code || thrown.message || "for an unknown reason")
}

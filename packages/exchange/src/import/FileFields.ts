/**
 * Reads `.gitbook/files.json`: properties of files that their paths do not express, so that an export is lossless. The
 * file lists files without references from pages, and files whose name or type differs from the path and the bytes.
 * Invalid fields are ignored. Limit: 8 MiB.
 */
import { Schema } from "effect"
import * as FieldByField from "@lectern/core/schema/FieldByField"
import * as Text from "@lectern/core/schema/Text"
import { maxName } from "@lectern/core/content/files/File"

export const path = ".gitbook/files.json"

export const maxLength = 8 * 1024 * 1024

const FileFields = Schema.Struct({
  name: Schema.optionalKey(Text.lineFrom(1, maxName)),
  contentType: Schema.optionalKey(Schema.String)
})
export type FileFields = typeof FileFields.Type

const read = FieldByField.reader<FileFields>(FileFields.fields)

export interface Parsed {
  /** Fields of the files by path. */
  readonly fields: ReadonlyMap<string, FileFields>
  /** Paths of files with invalid fields. */
  readonly invalidPaths: ReadonlyArray<string>
}

/** Parses the file. Undefined if it is not a JSON object. */
export const parse = (text: string): Parsed | undefined => {
  const entries = parseObject(text)
  if (entries === undefined) return undefined
  const fields = new Map<string, FileFields>()
  const invalidPaths: Array<string> = []
  for (const [path, value] of Object.entries(entries)) {
    const parsedEntry = read(value)
    // An entry without valid fields still means that the file is imported.
    fields.set(path, parsedEntry?.fields ?? {})
    if (parsedEntry === undefined || parsedEntry.wrong.length > 0) invalidPaths.push(path)
  }
  return { fields, invalidPaths }
}

const parseObject = (text: string): object | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

export const print = (files: ReadonlyMap<string, FileFields>): string => {
  const sortedFiles = Array.from(files).sort(([a], [b]) => (a < b ? -1 : 1))
  return `${JSON.stringify(Object.fromEntries(sortedFiles), undefined, 2)}\n`
}

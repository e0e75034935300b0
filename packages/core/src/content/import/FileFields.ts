/**
 * `.gitbook/files.json`: what a folder says of its files beyond their paths, so that an export loses
 * nothing: files that come along though no page refers to them, and those whose name or type can't
 * be told from the path and the bytes. Limit: 8 MiB.
 */
import { Option, Schema } from "effect"
import { FileName } from "../files/File.ts"

export const path = ".gitbook/files.json"

export const maxLength = 8 * 1024 * 1024

const FileFields = Schema.Struct({
  name: Schema.optionalKey(FileName),
  contentType: Schema.optionalKey(Schema.String)
})
export type FileFields = typeof FileFields.Type

const decode = Schema.decodeUnknownOption(Schema.Record(Schema.String, FileFields))

/** The fields by path; undefined where the text says something else. */
export const parse = (text: string): ReadonlyMap<string, FileFields> | undefined => {
  try {
    const read = Option.getOrUndefined(decode(JSON.parse(text)))
    return read && new Map(Object.entries(read))
  } catch {
    return undefined
  }
}

export const print = (files: ReadonlyMap<string, FileFields>): string => {
  const inOrder = Array.from(files).sort(([a], [b]) => (a < b ? -1 : 1))
  return `${JSON.stringify(Object.fromEntries(inOrder), undefined, 2)}\n`
}

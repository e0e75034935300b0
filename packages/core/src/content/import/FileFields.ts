/**
 * `.gitbook/files.json`: what a folder says of its files beyond their paths, so that an export loses
 * nothing: files that come along though no page refers to them, and those whose name or type can't
 * be told from the path and the bytes. A field that holds something else than it should says nothing. Limit: 8 MiB.
 */
import { Schema } from "effect"
import * as FieldByField from "../../schema/FieldByField.ts"
import * as Text from "../../schema/Text.ts"
import { maxName } from "../files/File.ts"

export const path = ".gitbook/files.json"

export const maxLength = 8 * 1024 * 1024

const FileFields = Schema.Struct({
  name: Schema.optionalKey(Text.lineFrom(1, maxName)),
  contentType: Schema.optionalKey(Schema.String)
})
export type FileFields = typeof FileFields.Type

const read = FieldByField.reader<FileFields>(FileFields.fields)

export interface Parsed {
  /** By path. */
  readonly fields: ReadonlyMap<string, FileFields>
  /** Paths of which something is left out. */
  readonly wrong: ReadonlyArray<string>
}

/** Undefined where the text says something else. */
export const parse = (text: string): Parsed | undefined => {
  const said = mapping(text)
  if (said === undefined) return undefined
  const fields = new Map<string, FileFields>()
  const wrong: Array<string> = []
  for (const [path, one] of Object.entries(said)) {
    const own = read(one)
    // That the file stands here says that it comes along.
    fields.set(path, own?.fields ?? {})
    if (own === undefined || own.wrong.length > 0) wrong.push(path)
  }
  return { fields, wrong }
}

const mapping = (text: string): object | undefined => {
  try {
    const said: unknown = JSON.parse(text)
    return typeof said === "object" && said !== null && !Array.isArray(said) ? said : undefined
  } catch {
    return undefined
  }
}

export const print = (files: ReadonlyMap<string, FileFields>): string => {
  const inOrder = Array.from(files).sort(([a], [b]) => (a < b ? -1 : 1))
  return `${JSON.stringify(Object.fromEntries(inOrder), undefined, 2)}\n`
}

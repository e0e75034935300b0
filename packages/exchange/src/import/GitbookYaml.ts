/**
 * Reads `.gitbook.yaml`: the location of the documentation in its folder, and its configuration files. Invisible
 * characters are ignored, since the examples of the hosted service contain them.
 *
 * Defaults: the folder itself, `README.md`, `SUMMARY.md`. Limits: 256 KiB, 100 aliases.
 */
import { Result } from "effect"
import * as YamlText from "@lectern/document/YamlText"
import type { FolderLayout } from "./Folder.ts"
import * as FolderPath from "./FolderPath.ts"

export interface GitbookYaml extends FolderLayout {
  /** Former paths and their targets. */
  readonly redirects: Readonly<Record<string, string>>
}

export const defaults: GitbookYaml = { root: "", readme: "README.md", summary: "SUMMARY.md", redirects: {} }

const maxLength = 256 * 1024

const isRecord = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Parses YAML from external sources to plain values. Fails with a message. */
export const readYaml = (text: string): Result.Result<{ readonly [name: string]: unknown }, string> => {
  if (text.length > maxLength) return Result.fail(`Expected at most ${maxLength / 1024} KiB`)
  return Result.flatMap(YamlText.parseYaml(text.replace(/[\u200B-\u200D\u2060\uFEFF]/g, "")), (value) =>
    value === null ? Result.succeed({}) : isRecord(value) ? Result.succeed(value) : Result.fail("It is no mapping")
  )
}

export const parse = (text: string): { readonly config: GitbookYaml; readonly problems: ReadonlyArray<string> } => {
  const yaml = readYaml(text)
  if (Result.isFailure(yaml)) return { config: defaults, problems: [yaml.failure] }
  const problems: Array<string> = []
  const path = (name: string, value: unknown, otherwise: string): string => {
    if (value === undefined || value === null) return otherwise
    const normal = typeof value === "string" ? FolderPath.normalize(value.trim()) : undefined
    if (normal === undefined) problems.push(`${name} must be a path within the folder`)
    return normal ?? otherwise
  }
  const { root, structure, redirects } = yaml.success
  const fields = isRecord(structure) ? structure : {}
  const config: GitbookYaml = {
    root: path("root", root, defaults.root),
    readme: path("structure.readme", fields["readme"], defaults.readme),
    summary: path("structure.summary", fields["summary"], defaults.summary),
    redirects: Object.fromEntries(
      Object.entries(isRecord(redirects) ? redirects : {}).flatMap(([from, to]) =>
        typeof to === "string" ? [[from, to] as const] : []
      )
    )
  }
  return { config, problems }
}

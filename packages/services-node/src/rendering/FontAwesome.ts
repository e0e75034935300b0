/**
 * Icons of Font Awesome Free by their current or earlier names. The nearest free style replaces a paid style. An
 * unknown name has no icon.
 */
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

const folder = dirname(createRequire(import.meta.url).resolve("@fortawesome/fontawesome-free/package.json"))

/** Folders to search for an icon of a style, in order. The first one with the icon wins. */
const foldersOf = (style: string): ReadonlyArray<string> =>
  style === "solid" || style === "duotone" ? ["solid", "regular", "brands"] : ["regular", "solid", "brands"]

let renamedIcons: Promise<ReadonlyMap<string, string>> | undefined

/** Reads aliases and former names of icons. */
const readRenamedIcons = async (): Promise<ReadonlyMap<string, string>> => {
  const text = await readFile(join(folder, "metadata/icon-families.json"), "utf8")
  const families = JSON.parse(text) as Readonly<
    Record<string, { readonly aliases?: { readonly names?: Array<string> } }>
  >
  return new Map(
    Object.entries(families).flatMap(([name, { aliases }]) =>
      (aliases?.names ?? []).map((alias) => [alias, name] as const)
    )
  )
}

const svgOf = async (name: string, style: string): Promise<string | undefined> => {
  for (const styleFolder of foldersOf(style)) {
    const svg = await readFile(join(folder, "svgs", styleFolder, `${name}.svg`), "utf8").catch(() => undefined)
    if (svg !== undefined) return svg
  }
  return undefined
}

export const render = async (requestedName: string, style: string): Promise<ReadonlyArray<string> | undefined> => {
  const name = requestedName.toLowerCase().replace(/^fa-/, "")
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)) return undefined
  const svg = (await svgOf(name, style)) ?? (await byAlias(name, style))
  const box = /\bviewBox="([\d. -]+)"/.exec(svg ?? "")?.[1]
  const paths = Array.from((svg ?? "").matchAll(/<path[^>]*?\sd="([\w\s.,-]+)"/g), ([, d]) => `<path d="${d}"/>`)
  return box === undefined || paths.length === 0
    ? undefined
    : [`<svg class="icon" viewBox="${box}" aria-hidden="true">${paths.join("")}</svg>`]
}

const byAlias = async (name: string, style: string): Promise<string | undefined> => {
  const currentName = (await (renamedIcons ??= readRenamedIcons())).get(name)
  return currentName === undefined ? undefined : svgOf(currentName, style)
}

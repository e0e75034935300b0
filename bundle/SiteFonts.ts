/**
 * Collects the fonts that the settings of published sites offer: the files that pages load, and the licences. The
 * package of sites and the server contain these files, and no other files of the fonts' packages. The folder is rebuilt
 * only if a source has changed.
 *
 * Includes the alphabets of `subsets`, in two weights if a font has no weight axis, and italics for Latin only.
 *
 * The default font of sites is loaded by most readers. Its first file contains only `basicCharacters`, and it has no
 * italics, which browsers slant.
 */
import { createHash } from "node:crypto"
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import type { FontFace } from "../packages/site/src/styling/Fonts.ts"
import { isFresh, writeStamp, root } from "./BuildStamp.ts"

const folder = join(root, "packages/site/fonts")
const stamp = join(root, "node_modules/.cache/site-fonts.json")

/** Package of each font by its name in the settings. */
const packages: Readonly<Record<string, string>> = {
  Inter: "@fontsource-variable/inter",
  Roboto: "@fontsource-variable/roboto",
  RobotoSlab: "@fontsource-variable/roboto-slab",
  OpenSans: "@fontsource-variable/open-sans",
  SourceSansPro: "@fontsource-variable/source-sans-3",
  Lato: "@fontsource/lato",
  Ubuntu: "@fontsource/ubuntu",
  Raleway: "@fontsource-variable/raleway",
  Merriweather: "@fontsource-variable/merriweather",
  Overpass: "@fontsource-variable/overpass",
  NotoSans: "@fontsource-variable/noto-sans",
  IBMPlexSerif: "@fontsource/ibm-plex-serif",
  Poppins: "@fontsource/poppins",
  FiraSans: "@fontsource/fira-sans",
  IBMPlexMono: "@fontsource/ibm-plex-mono",
  JetBrainsMono: "@fontsource-variable/jetbrains-mono",
  SourceCodePro: "@fontsource-variable/source-code-pro",
  RobotoMono: "@fontsource-variable/roboto-mono",
  SpaceMono: "@fontsource/space-mono",
  DMMono: "@fontsource/dm-mono",
  Inconsolata: "@fontsource-variable/inconsolata"
}

const subsets = ["latin", "latin-ext", "cyrillic", "greek", "vietnamese"]

const defaultFont = "Inter"

/** Weights of the default font that the style sheet uses. */
const defaultWeights = { min: 400, max: 700 }

/** ASCII, and punctuation of English text and of the interface. */
const basicCharacters = `${Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join("")}\u00a0©·×‐‑–—‘’“”•…›←→`

const sheets = {
  "@fontsource-variable": ["wght.css", "wght-italic.css"],
  // The first existing bold sheet applies.
  "@fontsource": ["400.css", "400-italic.css", "700.css|600.css|500.css"]
} as const

const rule =
  /font-style: (\w+);[^}]*?font-weight: ([\d ]+);[^}]*?url\(\.\/files\/([\w-]+)\.woff2\)[^}]*?unicode-range: ([^;]+);/g

const require = createRequire(join(root, "packages/site/package.json"))

type SourceFace = FontFace & { readonly bytes: Uint8Array }

type SubsetFont = (
  font: Buffer,
  text: string,
  options: {
    readonly targetFormat: "woff2"
    readonly variationAxes: { readonly wght: { readonly min: number; readonly max: number } }
    readonly noLayoutClosure: boolean
  }
) => Promise<Uint8Array>

const fileNameOf = (name: string, bytes: Uint8Array): string =>
  `${name}.${createHash("sha256").update(bytes).digest("hex").slice(0, 16)}.woff2`

const facesOf = (name: string): ReadonlyArray<SourceFace> => {
  const from = dirname(require.resolve(`${name}/package.json`))
  const family = name.slice(name.indexOf("/") + 1)
  return sheets[name.slice(0, name.indexOf("/")) as keyof typeof sheets].flatMap((alternatives) => {
    const sheet = alternatives.split("|").find((file) => existsSync(join(from, file)))
    if (sheet === undefined) return []
    return Array.from(
      readFileSync(join(from, sheet), "utf8").matchAll(rule),
      ([, style = "", weight = "", file = "", range = ""]) => ({ style, weight, file, range })
    ).flatMap(({ style, weight, file, range }) => {
      const subset = subsets.find((subsetName) => new RegExp(`^${family}-${subsetName}-(?:wght|\\d+)-\\w+$`).test(file))
      if (subset === undefined || (style === "italic" && !subset.startsWith("latin"))) return []
      const bytes = readFileSync(join(from, "files", `${file}.woff2`))
      return {
        file: fileNameOf(file, bytes),
        weight,
        range,
        isItalic: style === "italic",
        isFirst: subset === "latin" && style === "normal" && (weight === "400" || weight.includes(" ")),
        bytes
      }
    })
  })
}

/**
 * Returns the faces of the default font. The face of the basic characters is the last one, since a browser takes the
 * last face that has a character.
 */
const smallFacesOf = async (name: string): Promise<ReadonlyArray<SourceFace>> => {
  const faces = facesOf(name).filter(({ isItalic }) => !isItalic)
  const latin = faces.find(({ isFirst }) => isFirst)!
  const subset = createRequire(join(root, "packages/services-node/package.json"))("subset-font") as SubsetFont
  const bytes = await subset(Buffer.from(latin.bytes), basicCharacters, {
    targetFormat: "woff2",
    variationAxes: { wght: defaultWeights },
    noLayoutClosure: true
  })
  const codes = Array.from(basicCharacters, (character) => `U+${character.codePointAt(0)!.toString(16).toUpperCase()}`)
  const basic = {
    file: fileNameOf("inter-basic", bytes),
    weight: `${defaultWeights.min} ${defaultWeights.max}`,
    range: ["U+20-7E", ...codes.slice(95)].join(","),
    isItalic: false,
    isFirst: true,
    bytes
  }
  return [...faces.map((face) => ({ ...face, isFirst: false })), basic]
}

/**
 * Collects the fonts if the folder is out of date. Returns the folder with the font files and `fonts.json`, which lists
 * them.
 */
export const bundleSiteFonts = async (): Promise<string> => {
  if (existsSync(folder) && isFresh(stamp)) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const table: Record<string, ReadonlyArray<FontFace>> = {}
  for (const [font, name] of Object.entries(packages)) {
    const faces = font === defaultFont ? await smallFacesOf(name) : facesOf(name)
    if (faces.filter(({ isFirst }) => isFirst).length !== 1) throw new Error(`${name} has other files than expected`)
    copyFileSync(join(dirname(require.resolve(`${name}/package.json`)), "LICENSE"), join(folder, `${font}.LICENSE`))
    table[font] = faces.map(({ bytes, ...face }) => {
      writeFileSync(join(folder, face.file), bytes)
      return face
    })
  }
  writeFileSync(join(folder, "fonts.json"), JSON.stringify(table))
  writeStamp(stamp, [join(root, "packages/site/package.json")])
  return folder
}

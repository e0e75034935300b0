/**
 * Renders pictures of pages as PNG with Takumi, in the fonts of PDFs. Titles and descriptions are cut after three
 * lines, with an ellipsis.
 */
import { size, type SocialImage } from "@lectern/site/rendering/SocialImage"
import { type Face, Fonts, type LoadedFont } from "../pdf/Fonts.ts"
import { loadTakumi } from "./Takumi.ts"

type Style = Readonly<Record<string, string | number>>

const box = (style: Style, children: ReadonlyArray<object>) => ({
  type: "container",
  style: { display: "flex", ...style },
  children
})

const text = (text: string, style: Style) => ({ type: "text", text, style })

/**
 * Returns the font families of a text. Each text has its own list, since a font loaded for another text may have
 * another weight.
 */
const familiesOf = (fonts: Fonts, text: string, face: Face): string =>
  [...new Set(fonts.runs(`${text}…`, face).map(({ font }) => font.name))].map((name) => `"${name}"`).join(",")

const bold: Face = { bold: true }
const regular: Face = {}

/** Returns a valid language tag, since Takumi renders nothing in an invalid one. Default: `en`. */
const tagOf = (language: string): string => {
  try {
    return new Intl.Locale(language).toString()
  } catch {
    return "en"
  }
}

export const renderPicture = async (picture: SocialImage, logo?: Uint8Array): Promise<Uint8Array> => {
  const { site, title, description, sign, language, direction } = picture
  const { Renderer } = loadTakumi()
  const loadedFonts: Array<LoadedFont> = []
  const fonts = new Fonts((font) => loadedFonts.push(font))
  fonts.preferFor(`${title} ${description}`)
  await fonts.prepare(`${title}${sign}${site}…`, [bold])
  await fonts.prepare(`${description}…`, [regular])
  const renderer = new Renderer()
  try {
    for (const { name, data } of loadedFonts) renderer.registerFont({ name, data })
    const rootStyle = { direction, width: "100%" }
    const tree = box(
      {
        width: "100%",
        height: "100%",
        flexDirection: "column",
        justifyContent: "space-between",
        padding: "64px 72px",
        backgroundColor: picture.ground,
        borderTop: `14px solid ${picture.fill}`
      },
      [
        box({ flexDirection: direction === "rtl" ? "row-reverse" : "row", alignItems: "center", gap: 22, height: 72 }, [
          ...(sign === "" || logo !== undefined
            ? []
            : [
                box(
                  {
                    width: 64,
                    height: 64,
                    borderRadius: 16,
                    alignItems: "center",
                    justifyContent: "center",
                    backgroundColor: picture.fill
                  },
                  [text(sign, { fontSize: 34, color: picture.onFill, fontFamily: familiesOf(fonts, sign, bold) })]
                )
              ]),
          logo === undefined
            ? text(site, {
                fontSize: 32,
                color: picture.muted,
                lineClamp: 1,
                fontFamily: familiesOf(fonts, site, bold)
              })
            : { type: "image", src: "logo", style: { height: 72, maxWidth: 480, objectFit: "contain" } }
        ]),
        box({ flexDirection: "column", gap: 26, width: "100%" }, [
          text(title, {
            ...rootStyle,
            fontSize: title.length > 60 ? 56 : 72,
            lineHeight: 1.2,
            color: picture.ink,
            lineClamp: 3,
            wordBreak: "break-word",
            fontFamily: familiesOf(fonts, title, bold)
          }),
          ...(description === ""
            ? []
            : [
                text(description, {
                  ...rootStyle,
                  fontSize: 32,
                  lineHeight: 1.4,
                  color: picture.muted,
                  lineClamp: 3,
                  wordBreak: "break-word",
                  fontFamily: familiesOf(fonts, description, regular)
                })
              ])
        ])
      ]
    )
    const images = logo === undefined ? [] : [{ src: "logo", data: logo }]
    return await renderer.render(tree as never, { ...size, format: "png", lang: tagOf(language), images })
  } finally {
    renderer.free()
  }
}

/** Pictures that are drawn for PDFs. */
import { assert, describe, it } from "@effect/vitest"
import { renderPng } from "../src/pdf/RenderedFile.ts"

const opening =
  '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="60" height="40">'

const drawn = async (content: string, opened = opening) => {
  const { png, size } = await renderPng("image/svg+xml", new TextEncoder().encode(`${opened}${content}</svg>`))
  const bytes = Buffer.from(png)
  return { bytes, size, width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

const red = '<rect width="60" height="40" fill="red"/>'

describe("draw", () => {
  it("draws an SVG finer than it is shown, and no larger than a sheet needs", async () => {
    const plain = await drawn(red)
    assert.deepStrictEqual(plain.size, { width: 60, height: 40 })
    assert.deepStrictEqual([plain.width, plain.height], [180, 120])
    const blue = await drawn(red.replace("red", "blue"))
    assert.isFalse(plain.bytes.equals(blue.bytes))
    assert.isTrue(plain.bytes.equals((await drawn(`<g fill="blue">${red}</g>`)).bytes))
    const huge = await drawn(red, '<svg xmlns="http://www.w3.org/2000/svg" width="1000000" height="10">')
    assert.deepStrictEqual([huge.width, huge.height], [2000, 1])
    const unsaid = await drawn(red, '<svg xmlns="http://www.w3.org/2000/svg">')
    assert.deepStrictEqual(unsaid.size, { width: 300, height: 150 })
  })

  it("draws text in any font and script, and the labels that are HTML", async () => {
    const text = (attributes: string, value = "Word") => drawn(`<text y="30" ${attributes}>${value}</text>`)
    const plain = await text("")
    for (const family of ["Arial", "'Open Sans', serif", "&quot;Inter&quot;"]) {
      const named = [await text(`font-family="${family}"`), await text(`style="font-family:${family};fill:#000"`)]
      for (const { bytes } of named) assert.isTrue(bytes.equals(plain.bytes), family)
    }
    const others = [
      await drawn(""),
      await text('font-weight="bold"'),
      await text('style="font-style:italic"'),
      await text('font-family="Courier New"'),
      await text("", "漢字"),
      await text("", "&#x5e9;&#1500;")
    ]
    const all = [plain, ...others]
    assert.strictEqual(new Set(all.map(({ bytes }) => bytes.toString("base64"))).size, all.length)

    const html =
      '<foreignObject width="60" height="40"><p xmlns="http://www.w3.org/1999/xhtml">One<br/>two</p></foreignObject>'
    const empty = others[0]!.bytes
    assert.isFalse((await drawn(html)).bytes.equals(empty))
    const instead = await drawn(`<switch>${html}<text y="30">Word</text></switch>`)
    assert.isTrue(instead.bytes.equals(plain.bytes))
  })

  it("draws nothing from outside of an SVG, and runs nothing in it", async () => {
    const plain = (await drawn(red)).bytes
    const others = [
      '<script>document.documentElement.innerHTML = ""</script>',
      '<image width="60" height="40" xlink:href="file:///etc/hostname"/>',
      '<image width="60" height="40" href="http://127.0.0.1:1/x.png"/>',
      '<use xlink:href="http://127.0.0.1:1/x.svg#a"/>',
      "<style>@import url(http://127.0.0.1:1/x.css); @font-face { font-family: x; src: url(file:///etc/hostname) }</style>",
      '<g onload="fail()"><a href="javascript:fail()"/></g>'
    ]
    for (const other of others) assert.isTrue((await drawn(red + other)).bytes.equals(plain), other)
  })
})

/**
 * Pseudo-translation: accented, in brackets, and a third longer. It shows how layouts cope with other languages, and
 * which parts of a page are untranslated. Equal texts have equal results for all languages.
 */

const accentedLetters: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: "á",
    b: "ƀ",
    c: "ç",
    d: "ð",
    e: "é",
    f: "ƒ",
    g: "ĝ",
    h: "ĥ",
    i: "î",
    j: "ĵ",
    k: "ķ",
    l: "ļ",
    m: "ɱ",
    n: "ñ",
    o: "ö",
    p: "þ",
    q: "ʠ",
    r: "ŕ",
    s: "š",
    t: "ţ",
    u: "û",
    v: "ṽ",
    w: "ŵ",
    x: "ẋ",
    y: "ý",
    z: "ž",
    A: "Å",
    B: "Ɓ",
    C: "Ç",
    D: "Ð",
    E: "É",
    F: "Ƒ",
    G: "Ĝ",
    H: "Ĥ",
    I: "Î",
    J: "Ĵ",
    K: "Ķ",
    L: "Ļ",
    M: "Ṁ",
    N: "Ñ",
    O: "Ö",
    P: "Þ",
    Q: "Ǫ",
    R: "Ŕ",
    S: "Š",
    T: "Ţ",
    U: "Û",
    V: "Ṽ",
    W: "Ŵ",
    X: "Ẋ",
    Y: "Ý",
    Z: "Ž"
  })
)

/** Relative growth of a text. */
const growth = 0.3

const visible = /\S/gu
const plain = /[a-z]/gi

const tagOrEntity = /<[^<>]*>|&[a-zA-Z0-9#]+;/g

/** Translates a text in the format of `Translator`. */
export const pseudoTranslate = (text: string): string => {
  let output = ""
  let letters = 0
  const appendWords = (words: string) => {
    letters += words.match(visible)?.length ?? 0
    output += words.replace(plain, (letter) => accentedLetters.get(letter)!)
  }
  let end = 0
  for (const { 0: tag, index } of text.matchAll(tagOrEntity)) {
    appendWords(text.slice(end, index))
    output += tag
    end = index + tag.length
  }
  appendWords(text.slice(end))
  const padding = "·".repeat(Math.max(0, Math.round(letters * growth) - 2))
  return padding === "" ? `⟦${output}⟧` : `⟦${output} ${padding}⟧`
}

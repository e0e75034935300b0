/**
 * Converts a text to a part of a URL as the hosted service does. Anchors of headings and slugs of pages start from this
 * form.
 *
 * Letters of other scripts become Latin letters. `&` becomes `and`. Dots, pluses and underscores stay. All other
 * characters that are not ASCII letters or digits become hyphens.
 */
import { transliterate } from "transliteration"

/** Maximum characters of the input. Later characters are ignored. */
export const maxLength = 512

/** Returns the part of a URL. Empty if the text has no letters or digits. */
export const urlText = (text: string): string => {
  const truncated = text.length <= maxLength ? text : text.slice(0, maxLength)
  const latin = ascii.test(truncated) ? truncated : romanize(truncated)
  return latin
    .toLowerCase()
    .replace(/[&|<>$]/g, (symbol) => symbolNames[symbol]!)
    .replace(/[^a-z0-9.+_]+/g, "-")
    .replace(/^-|-$/g, "")
}

const ascii = /^[^\u0080-\uffff]*$/

const symbolNames: Readonly<Record<string, string>> = {
  "&": " and ",
  "|": " or ",
  "<": " less than ",
  ">": " greater than ",
  $: "usd",
  "€": "eur",
  "£": "gbp",
  "¥": "cny",
  "∞": "infinity"
}

/** Letters for which the hosted service differs from the library. */
const letterOverrides: Readonly<Record<string, string>> = {
  х: "kh",
  Х: "kh",
  щ: "sh",
  Щ: "sh",
  є: "ye",
  Є: "ye",
  β: "b",
  Β: "b",
  ξ: "ks",
  Ξ: "ks",
  χ: "x",
  Χ: "x"
}

const kana = /[\u3041-\u309f\u30a1-\u30ff]/

const romanize = (text: string): string => {
  const normalized = separateHanWords(text.replace(apostrophes, " "))
    .normalize("NFKD")
    .replace(/[\u0300-\u0307\u0309-\u036f]/g, "")
    .replace(/([aou])\u0308/gi, "$1e")
    .normalize("NFC")
    .replace(/[хХщЩєЄβΒξΞχΧ]/g, (letter) => letterOverrides[letter]!)
    .replace(/[^\p{ASCII}\P{S}]/gu, (symbol) => symbolNames[symbol] ?? " ")
    .replace(quotesAndDashes, "-")
    .replace(invisible, "")
  // ASCII text is not transliterated, since the tables of all scripts take 20 ms and 3 MB to load and most texts do not
  // need them.
  return (ascii.test(normalized) ? normalized : transliterate(normalized)).replace(/['`]/g, "")
}

/** Quotation marks and dashes, which only separate words. */
const quotesAndDashes = /[\u2010-\u2015\u201c-\u201f]/g

/** Invisible characters that modify letters and emoji next to them. */
const invisible = /\u00ad|\u200d|\ufe0f/g

const apostrophes = /['`\u2018\u2019\u201a\u201b\u2032\u2035\u00b4]/g

/** Separates runs of Chinese characters from other words. Other symbols are removed and separate nothing. */
const separateHanWords = (text: string): string =>
  /\p{Script=Han}/u.test(text) && !kana.test(text)
    ? text
        .replace(/[\t\n\r]/g, " ")
        .replace(/[^\p{L}\p{M}\p{N} .+_]/gu, "")
        .replace(/\p{Script=Han}+/gu, " $& ")
    : text

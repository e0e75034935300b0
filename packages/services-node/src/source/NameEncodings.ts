/**
 * Detects the encoding of file names that are not UTF-8, from all names together, since single names are too short for
 * text statistics. Each encoding has a cost in bits for the characters of its languages. The cost depends on the
 * frequency of the character, on mixed scripts within a word, and on capitals within a word. The encoding with the
 * lowest total cost wins.
 *
 * Limit: the first 16 KiB of names count.
 */
const maxBytes = 16 * 1024

interface Encoding {
  readonly decode: (bytes: Uint8Array) => string
  /** Returns the cost of a non-ASCII character, in bits. */
  readonly bits: (character: string, code: number) => number
  /**
   * Cost of the encoding itself, in bits. Windows and DOS encodings cost less, since they are more frequent in
   * archives.
   */
  readonly rarity: number
}

const unmapped = "\uFFFD"

const decoderOf = (label: string): Encoding["decode"] => {
  const decoder = new TextDecoder(label, { ignoreBOM: true })
  return (bytes) => decoder.decode(bytes)
}

/** Returns a decoder for a DOS code page: ASCII and 128 further characters. */
const pageOf =
  (upper: string): Encoding["decode"] =>
  (bytes) =>
    Array.from(bytes, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : upper[byte - 0x80]!)).join("")

const cp437 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00A0"
const cp850 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00AD±‗¾¶§÷¸°¨·¹³²■\u00A0"
const cp852 =
  "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00AD˝˛ˇ˘§÷¸°¨˙űŘř■\u00A0"

/**
 * Frequent characters of names in simplified Chinese, traditional Chinese and Japanese, and frequent Korean syllables.
 */
const simplified =
  "的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可里后小么心多天而能好都然没日于起还发成事只作当想看文无开手用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少关并内加化由却代军产入先山五太水万市设明快速始使用指南安装配置文档介绍教程说明指引手册常见问题参考示例概述接口命令构建测试部署图片目录页服务器数据库管理系统开发模型块板版权限制列表查询更改建删除登录注册网络编码格式类字符节件架结源包运维监控日志产品功特点击"
const traditional =
  "的一是不了在人有我他這中大來上國個到說們為子和你地出道也時年得就那要下以生會自著去之過家學對可裡後小麼心多天而能好都然沒日於起還發成事只作當想看文無開手用主行方又如前所本見經頭面公同三已老從動兩長知民樣現分將外但身些與高意進把法此實回二理美點月明其種聲全工己話兒者向情部正名定女問力機給等幾很業最間新什打便位因重被走電四第門相次東政海口使教西再平真聽世氣信北少關並內加化由卻代軍產入先山五太水萬市設快速始用指南安裝配置檔介紹程說引冊常題參考範例概述介面命令建測試部署圖片目錄頁服務器資料庫管理系統開發模型塊板版權限制列表查詢更改建刪除登錄註冊網絡編碼格式類字符節件架結源包運維監控日誌產品功特點"
const kanji =
  "日本人大年一国会中出事者社自分合同部上地方手行前気間時場入力後書名文字用使設定説明手順始概要基本操作画面表示機能利用方法開発環境構築導入管理作成編集追加削除確認変更更新保存検索接続認証情報資料仕様参照例問題質問回答目次索引付録第章節目的対象準備起動停止実行結果新規登録一覧詳細簡単高度応用入門初心者"
const hangul =
  "이다는을의에가하고지로기한사리은도자나서대를시스정해수인어일장그주제전부보드으안아만있과위라와무상구동여용화소조치비세조원내성면트모오우미발신개공실관연계경방문회간오류설치명령빠른작가작이드소개참고예제테스트배포데이터베이스관리시스템사용자설정목차질문페이지이미지"

const setOf = (characters: string) => new Set(characters)

const isKana = (code: number) => code >= 0x3041 && code <= 0x30ff
const isHan = (code: number) => code >= 0x4e00 && code <= 0x9fff
const isHangul = (code: number) => code >= 0xac00 && code <= 0xd7a3
const isFullWidth = (code: number) => (code >= 0xff01 && code <= 0xff5e) || (code >= 0x3000 && code <= 0x3011)

/**
 * Returns a test for membership in a range of a double-byte table. The standards keep their most frequent characters in
 * one range.
 */
const partOf = (label: string, leadBytes: readonly [number, number], trailBytes: readonly [number, number]) => {
  let part: Set<string> | undefined
  return (character: string): boolean => {
    if (part === undefined) {
      const decode = decoderOf(label)
      part = new Set()
      for (let lead = leadBytes[0]; lead <= leadBytes[1]; lead++) {
        for (let trail = trailBytes[0]; trail <= trailBytes[1]; trail++) {
          const text = decode(Uint8Array.of(lead, trail))
          if (text.length === 1 && text !== unmapped) part.add(text)
        }
      }
    }
    return part.has(character)
  }
}

const ofHan =
  (common: ReadonlySet<string>, isFirst: (character: string) => boolean): Encoding["bits"] =>
  (character, code) => {
    if (common.has(character)) return 8
    if (isHan(code)) return isFirst(character) ? 12 : 17
    return isFullWidth(code) || /[“”‘’—…·]/.test(character) ? 10 : isKana(code) ? 14 : 18
  }

const ofJapanese = (isFirst: (character: string) => boolean): Encoding["bits"] => {
  const common = setOf(kanji)
  return (character, code) => {
    if (isKana(code)) return code < 0x30a0 ? 6.5 : 7
    if (common.has(character)) return 8.5
    if (isHan(code)) return isFirst(character) ? 12 : 17
    // Half-width katakana have one byte each.
    if (code >= 0xff61 && code <= 0xff9f) return 9.5
    return isFullWidth(code) ? 9.5 : 18
  }
}

const ofKorean = (isFirst: (character: string) => boolean): Encoding["bits"] => {
  const common = setOf(hangul)
  return (character, code) => {
    if (isHangul(code)) return common.has(character) ? 7.3 : isFirst(character) ? 11.5 : 16
    return isHan(code) ? 15 : isFullWidth(code) ? 11 : 18
  }
}

/**
 * Returns a function for the cost of letters, in bits, by their frequency. `prices` maps groups of letters to a cost.
 * `others` is the cost of other letters.
 */
const lettersOf = (prices: { readonly [letters: string]: number }, otherPrice: number): Encoding["bits"] => {
  const bits = new Map(
    Object.entries(prices).flatMap(([letters, price]) => Array.from(letters, (letter) => [letter, price]))
  )
  return (character) => {
    const price = bits.get(character.toLowerCase())
    if (price !== undefined) return price
    return /\p{L}/u.test(character) ? otherPrice : 14
  }
}

const cyrillic = lettersOf(
  {
    оеаинтс: 3.8,
    рвлкмдп: 4.7,
    уяыьгзбчй: 5.9,
    хжшюцщэф: 7.3,
    іїє: 6,
    ёъґў: 10
  },
  12
)
/** Non-ASCII letters of Latin-script languages, one group for each language. A name uses one group. */
const western = ["äöüß", "éèàêâçôîïûùëœ", "áéíóúñü", "ãõáéíóúâêôçà", "åäöøæé", "àèéìòù"].map((letters) =>
  lettersOf({ [letters]: 5 + Math.log2(letters.length) / 4 }, 11)
)
const central = ["ąęłóśćżźń", "áčďéěíňóřšťúůýžľĺŕäô", "áéíóöőúüű", "ăâîşţ", "čćđšž"].map((letters) =>
  lettersOf({ [letters]: 5 + Math.log2(letters.length) / 4 }, 11)
)
const turkish = lettersOf({ ıışşğüöç: 5.5, âîû: 9 }, 12)
const greek = lettersOf({ αοιετσνηυρπκλ: 4.3, μςγδωχθφβξζψάέήίόύώ: 6 }, 10)
const hebrew = lettersOf({ אבגדהוזחטיכלמנסעפצקרשתךםןףץ: 5 }, 12)
const arabic = lettersOf({ اأإآبتثجحخدذرزسشصضطظعغفقكلمنهويةىءئؤپچژگ: 5.5 }, 12)
const thai = lettersOf({ กขคงจชซญดตถทธนบปผพภมยรลวศษสหอะาิีึืุูเแโใไ่้๊็์ัำ: 5.2, ฆฉฌฎฏฐฑฒณฝฟฤๆ: 8 }, 14)

/** Combines each encoding with each language. */
const pages = (
  decoders: ReadonlyArray<Encoding["decode"]>,
  languages: ReadonlyArray<Encoding["bits"]>,
  rarities: ReadonlyArray<number>
): ReadonlyArray<Encoding> =>
  decoders.flatMap((decode, i) => languages.map((bits) => ({ decode, bits, rarity: rarities[i]! })))

const encodings: ReadonlyArray<Encoding> = [
  { decode: decoderOf("gbk"), bits: ofHan(setOf(simplified), partOf("gbk", [0xb0, 0xd7], [0xa1, 0xfe])), rarity: 0 },
  {
    decode: decoderOf("big5"),
    bits: ofHan(setOf(traditional), partOf("big5", [0xa4, 0xc6], [0x40, 0xfe])),
    rarity: 0
  },
  { decode: decoderOf("shift_jis"), bits: ofJapanese(partOf("shift_jis", [0x88, 0x97], [0x40, 0xfc])), rarity: 0 },
  { decode: decoderOf("euc-jp"), bits: ofJapanese(partOf("euc-jp", [0xb0, 0xcf], [0xa1, 0xfe])), rarity: 4 },
  { decode: decoderOf("euc-kr"), bits: ofKorean(partOf("euc-kr", [0xb0, 0xc8], [0xa1, 0xfe])), rarity: 0 },
  { decode: decoderOf("ibm866"), bits: cyrillic, rarity: 0 },
  { decode: decoderOf("windows-1251"), bits: cyrillic, rarity: 0 },
  { decode: decoderOf("koi8-r"), bits: cyrillic, rarity: 4 },
  { decode: decoderOf("x-mac-cyrillic"), bits: cyrillic, rarity: 4 },
  ...pages(
    [pageOf(cp437), pageOf(cp850), decoderOf("windows-1252"), decoderOf("macintosh")],
    western,
    [0, 0.1, 0.2, 4]
  ),
  ...pages([pageOf(cp852), decoderOf("windows-1250"), decoderOf("iso-8859-2")], central, [0.6, 0.6, 4]),
  { decode: decoderOf("windows-1254"), bits: turkish, rarity: 1.2 },
  { decode: decoderOf("windows-1253"), bits: greek, rarity: 2.5 },
  { decode: decoderOf("windows-1255"), bits: hebrew, rarity: 2.5 },
  { decode: decoderOf("windows-1256"), bits: arabic, rarity: 2.5 },
  { decode: decoderOf("windows-874"), bits: thai, rarity: 6 }
]

/** Cost of unmapped characters, control characters and private-use characters, in bits. */
const noScript = 40

/** Returns the script of a letter, or 0 for scripts that words may mix with others. */
const scriptOf = (code: number): number => {
  if (code < 0x250) return 1
  if (code >= 0x370 && code < 0x400) return 2
  if (code >= 0x400 && code < 0x530) return 3
  if (code >= 0x590 && code < 0x600) return 4
  if (code >= 0x600 && code < 0x700) return 5
  return code >= 0xe00 && code < 0xe80 ? 6 : 0
}

const isLetter = (character: string) => /[\p{L}\p{M}]/u.test(character)
const isAsciiLetter = (character: string) => /[A-Za-z]/.test(character)
const isCapital = (character: string) => character !== character.toLowerCase()

const isWide = (character: string) => isLetter(character) && scriptOf(character.codePointAt(0)!) === 0

/** Returns the cost of a name in bits: its non-ASCII characters, and unusual combinations of characters. */
const bitsOf = (name: string, encoding: Encoding): number => {
  let bits = 0
  let previous = ""
  let beforeLast = ""
  let beforeRun = ""
  for (const character of name) {
    const code = character.codePointAt(0)!
    const isRun = previous !== "" && previous.charCodeAt(0) >= 0x80
    // A letter of a script without spaces between ASCII letters adds to the cost, since it is rare.
    if (code < 0x80 && isRun && isAsciiLetter(character) && isAsciiLetter(beforeRun) && isWide(previous)) bits += 8
    if (code >= 0x80) {
      if (!isRun) beforeRun = previous
      if (character === unmapped || (code < 0xa0 && code >= 0x80) || (code >= 0xe000 && code <= 0xf8ff))
        bits += noScript
      else bits += encoding.bits(character, code)
    }
    if (
      previous !== "" &&
      isLetter(previous) &&
      isLetter(character) &&
      (code >= 0x80 || previous.charCodeAt(0) >= 0x80)
    ) {
      const [previousScript, script] = [scriptOf(previous.codePointAt(0)!), scriptOf(code)]
      if (previousScript !== 0 && script !== 0 && previousScript !== script) bits += 7
      else if (isCapital(character)) {
        // Other combinations of cases add to the cost, since a word is in lower case, capitalized, or all capitals.
        bits += isCapital(previous) ? 0.3 : 8
      } else if (isCapital(previous) && isCapital(beforeLast) && isLetter(beforeLast)) bits += 5
    } else if (code >= 0x80 && isCapital(character)) bits += 0.5
    // A symbol within a word is unusual in names, so it adds to the cost of the encoding.
    if (previous !== "" && code >= 0x80 && !isLetter(character) && isLetter(previous) && scriptOf(code) === 1) bits += 3
    beforeLast = previous
    previous = character
  }
  return bits
}

/** Returns the decoder of the encoding that has the lowest cost for all names. */
export const detect = (names: ReadonlyArray<Uint8Array>): ((bytes: Uint8Array) => string) => {
  const sampleNames: Array<Uint8Array> = []
  let remaining = maxBytes
  for (const name of names) {
    if (remaining < name.length) break
    remaining -= name.length
    sampleNames.push(name)
  }
  let bestEncoding = encodings[0]!
  let fewest = Infinity
  for (const encoding of encodings) {
    let bits = encoding.rarity
    for (const name of sampleNames) {
      bits += bitsOf(encoding.decode(name), encoding)
      if (bits >= fewest) break
    }
    if (bits < fewest) [bestEncoding, fewest] = [encoding, bits]
  }
  return bestEncoding.decode
}

/** Tests names of entries without the UTF-8 flag, in the encodings of common systems. */
import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { crc32 } from "node:zlib"
import * as ZipArchive from "../src/source/ZipArchive.ts"
import * as ZipNames from "../src/source/ZipNames.ts"
import { type ZipEntry, zip } from "./ZipFiles.ts"

/** Returns an encoder derived from the decoder with a label, since the platform encodes only UTF-8. */
const encoderOf = (label: string): ((text: string) => Uint8Array) => {
  const decoder = new TextDecoder(label, { ignoreBOM: true })
  const bytes = new Map<string, ReadonlyArray<number>>()
  for (let one = 0; one < 256; one++) {
    const alone = decoder.decode(Uint8Array.of(one))
    if (alone.length === 1 && alone !== "\uFFFD") bytes.set(alone, [one])
  }
  for (let one = 0x81; one < 0xff; one++) {
    for (let two = 0x40; two < 0xff; two++) {
      const pair = decoder.decode(Uint8Array.of(one, two))
      if (pair.length === 1 && !bytes.has(pair)) bytes.set(pair, [one, two])
    }
  }
  return (text) => Uint8Array.from(Array.from(text).flatMap((one) => bytes.get(one) ?? assert.fail(`No ${one}`)))
}

/** Encodes a text by the positions of its characters in a DOS code page. */
const dos =
  (positions: { readonly [character: string]: number }) =>
  (text: string): Uint8Array =>
    Uint8Array.from(Array.from(text, (one) => positions[one] ?? one.charCodeAt(0)))

const encoders = {
  gbk: encoderOf("gbk"),
  big5: encoderOf("big5"),
  shift_jis: encoderOf("shift_jis"),
  "euc-jp": encoderOf("euc-jp"),
  "euc-kr": encoderOf("euc-kr"),
  ibm866: encoderOf("ibm866"),
  "windows-1251": encoderOf("windows-1251"),
  "koi8-r": encoderOf("koi8-r"),
  "windows-1252": encoderOf("windows-1252"),
  "windows-1250": encoderOf("windows-1250"),
  "windows-1253": encoderOf("windows-1253"),
  "windows-1255": encoderOf("windows-1255"),
  "windows-1256": encoderOf("windows-1256"),
  macintosh: encoderOf("macintosh"),
  cp437: dos({ é: 0x82, è: 0x8a, ü: 0x81, Ü: 0x9a, ö: 0x94, ä: 0x84, ß: 0xe1, ñ: 0xa4, ï: 0x8b, ê: 0x88 }),
  cp850: dos({ é: 0x82, ã: 0xc6, ç: 0x87, õ: 0xe4, À: 0xb7, ø: 0x9b, É: 0x90, á: 0xa0 }),
  cp852: dos({ ą: 0xa5, ż: 0xbe, Ż: 0xbd, ó: 0xa2, ł: 0x88, ř: 0xfd, í: 0xa1, č: 0x9f })
}

const named = (name: Uint8Array, more: Partial<ZipEntry> = {}): ZipEntry => ({ path: "", name, bytes: "x", ...more })
const entryOf = (name: Uint8Array) => ({
  generalPurposeBitFlag: 0,
  extraFields: [],
  fileNameRaw: Buffer.from(name)
})

describe("names of entries", () => {
  const cases: { readonly [encoding in keyof typeof encoders]: ReadonlyArray<ReadonlyArray<string>> } = {
    gbk: [
      ["使用指南.md"],
      ["安装.md", "配置.md"],
      ["产品介绍/快速开始.md"],
      ["中文.md"],
      ["图片/架构图.png"],
      ["联通.md"]
    ],
    big5: [["使用指南.md"], ["安裝說明.md"], ["快速開始/中文.md"], ["功能許可蓋.md"]],
    shift_jis: [
      ["はじめに.md"],
      ["表示.md"],
      ["ソース一覧.md"],
      ["能力表.md"],
      ["予定/概要.md"],
      ["ｶﾀｶﾅ.md", "日本語.md"]
    ],
    "euc-jp": [["はじめに.md"], ["インストール手順.md"]],
    "euc-kr": [["시작하기.md"], ["설치.md"], ["빠른 시작/개요.md"], ["문서.md"]],
    ibm866: [["Введение.md"], ["настройка.md"], ["Документация/Быстрый старт.md"], ["тест.md"]],
    "windows-1251": [["Введение.md"], ["Установка.md"], ["Київ.md", "Їжак.md"]],
    "koi8-r": [["Введение.md"], ["Установка программы.md"]],
    "windows-1252": [["Résumé.md"], ["Übersicht.md", "Größe.md"], ["año.md"], ["Introdução.md"]],
    "windows-1250": [["Książka.md"], ["Příručka.md"]],
    "windows-1253": [["Εισαγωγή.md", "Οδηγίες χρήσης.md"]],
    "windows-1255": [["מדריך למשתמש.md"]],
    "windows-1256": [["مقدمة.md", "دليل المستخدم.md"]],
    macintosh: [["Übersicht.md", "Größe.md", "Änderungen.md"]],
    cp437: [["Résumé.md"], ["Übersicht.md"], ["Größe.md"], ["año.md"], ["naïve.md"]],
    cp850: [["Introdução.md"], ["São Paulo.md"], ["À propos.md"], ["ÉTÉ.md"]],
    cp852: [["Książka.md"], ["Żółw.md"], ["říčka.md", "řeč.md"]]
  }
  for (const encoding of Object.keys(encoders) as ReadonlyArray<keyof typeof encoders>) {
    for (const names of cases[encoding]) {
      it(`are told as ${encoding}: ${names.join(", ")}`, () => {
        const entries = names.map((name) => entryOf(encoders[encoding](name)))
        assert.deepStrictEqual(ZipNames.read(entries), names)
      })
    }
  }

  it("have one encoding, which all of them tell together", () => {
    const names = ["模.md", "块.md", "api/中.md", "readme.md", "使用手册/第一章 安装.md"]
    assert.deepStrictEqual(ZipNames.read(names.map((name) => entryOf(encoders.gbk(name)))), names)
  })

  it("are no UTF-8 where the flag says so and the bytes do not", () => {
    const entry = { ...entryOf(encoders.gbk("使用指南.md")), generalPurposeBitFlag: 0x800 }
    const other = { ...entryOf(new TextEncoder().encode("中文.md")), generalPurposeBitFlag: 0x800 }
    assert.deepStrictEqual(ZipNames.read([entry, other]), ["使用指南.md", "中文.md"])
  })

  it("take no longer than their number", () => {
    const names = Array.from({ length: 20_000 }, (_, i) => encoders.shift_jis(`表示${i}.md`))
    assert.strictEqual(ZipNames.read(names.map(entryOf))[19_999], "表示19999.md")
  })
})

describe("an archive", () => {
  const listed = async (entries: ReadonlyArray<ZipEntry>) => {
    const folder = mkdtempSync(join(tmpdir(), "lectern-zip-"))
    try {
      const path = join(folder, "a.zip")
      writeFileSync(path, zip(entries))
      return (await ZipArchive.list(path)).files.map(({ path }) => path)
    } finally {
      rmSync(folder, { recursive: true })
    }
  }

  it("has no folder in a character whose second byte is that of a backslash", async () => {
    const names = ["表示.md", "ソース/能力.md"]
    assert.deepStrictEqual(await listed(names.map((name) => named(encoders.shift_jis(name)))), names)
    assert.deepStrictEqual(await listed([named(new TextEncoder().encode("a\\b\\c.md"))]), ["a/b/c.md"])
  })

  it("has names of macOS in composed form, and what a Unicode Path says", async () => {
    const decomposed = new TextEncoder().encode("Cafe\u0301/U\u0308ber.md")
    const other = Uint8Array.of(0x3f, 0x3f, 0x2e, 0x6d, 0x64)
    const unicode = Buffer.concat([Buffer.of(1, 0, 0, 0, 0), Buffer.from("中文.md")])
    unicode.writeUInt32LE(crc32(other), 1)
    const stale = Buffer.concat([Buffer.of(1, 0, 0, 0, 0), Buffer.from("old.md")])
    assert.deepStrictEqual(
      await listed([
        named(decomposed),
        named(other, { unicodePath: unicode }),
        named(new TextEncoder().encode("new.md"), { unicodePath: stale })
      ]),
      ["Café/Über.md", "中文.md", "new.md"]
    )
  })

  it("is refused if a name leads out of it once it is decoded", async () => {
    for (const name of ["..\\..\\設定.md", "C:\\設定.md", "/設定.md"]) {
      const failed = await listed([named(encoders.shift_jis(name))]).catch((error: Error) => error.message)
      assert.strictEqual(failed, "The archive holds a path that leads out of it")
    }
  })
})

/** Tests the language of a folder, guessed from its text, and its effect on an import. */
import { LanguageGuess } from "@lectern/exchange/import/LanguageGuess"
import { SpaceTable } from "@lectern/core/space/Space"
import { Storage } from "@lectern/core/storage/Storage"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { importFiles, newSpace, onInstance } from "./Imports.ts"

const texts = {
  en: "The server keeps what it is told in a file, and reads it again when it starts. Nobody has to restart it after a change of its settings.",
  de: "Der Server merkt sich alles in einer Datei und liest sie beim nächsten Start wieder ein. Niemand muss ihn nach einer Änderung der Einstellungen neu starten.",
  fr: "Le serveur garde tout dans un fichier et le relit au démarrage. Personne ne doit le redémarrer après un changement de ses réglages.",
  es: "El servidor guarda todo en un archivo y lo vuelve a leer cuando arranca. Nadie tiene que reiniciarlo después de cambiar sus ajustes.",
  pt: "O servidor guarda tudo num ficheiro e volta a lê-lo quando arranca. Ninguém precisa de o reiniciar depois de mudar as suas definições.",
  nl: "De server bewaart alles in een bestand en leest het weer in wanneer hij start. Niemand hoeft hem na een wijziging van de instellingen opnieuw te starten.",
  ru: "Сервер хранит всё в файле и читает его снова при запуске. После изменения настроек его не нужно перезапускать, это происходит само.",
  uk: "Сервер зберігає все у файлі та читає його знову під час запуску. Після зміни налаштувань його не потрібно перезапускати, це відбувається само.",
  ja: "サーバーはすべてをファイルに保存し、起動時に再び読み込みます。設定を変更した後に再起動する必要はありません。変更はすぐに反映されます。",
  zh: "服务器将所有内容保存在文件中,并在启动时重新读取。更改设置后无需重新启动。更改会立即生效,所有用户都可以看到最新的内容。",
  ko: "서버는 모든 것을 파일에 저장하고 시작할 때 다시 읽습니다. 설정을 변경한 후에 다시 시작할 필요가 없습니다. 변경 사항은 바로 적용됩니다.",
  ar: "يحتفظ الخادم بكل شيء في ملف ويقرؤه مرة أخرى عند بدء التشغيل. لا حاجة إلى إعادة تشغيله بعد تغيير الإعدادات، لأن التغييرات تسري فورا.",
  fa: "سرور همه چیز را در یک پرونده نگه می‌دارد و هنگام راه‌اندازی دوباره آن را می‌خواند. پس از تغییر تنظیمات نیازی به راه‌اندازی دوباره نیست.",
  ur: "سرور سب کچھ ایک فائل میں رکھتا ہے اور شروع ہونے پر اسے دوبارہ پڑھتا ہے۔ ترتیبات میں تبدیلی کے بعد اسے دوبارہ شروع کرنے کی ضرورت نہیں ہے۔",
  he: "השרת שומר הכול בקובץ וקורא אותו שוב כשהוא מתחיל. אין צורך להפעיל אותו מחדש אחרי שינוי בהגדרות, כי השינויים נכנסים לתוקף מיד.",
  el: "Ο διακομιστής κρατά τα πάντα σε ένα αρχείο και το διαβάζει ξανά όταν ξεκινά. Δεν χρειάζεται επανεκκίνηση μετά από αλλαγή των ρυθμίσεων.",
  th: "เซิร์ฟเวอร์เก็บทุกอย่างไว้ในไฟล์และอ่านอีกครั้งเมื่อเริ่มทำงาน ไม่จำเป็นต้องเริ่มใหม่หลังจากเปลี่ยนการตั้งค่า การเปลี่ยนแปลงมีผลทันที"
} as const

const page = (text: string) =>
  `---\ntitle: Configuration of the server\n---\n\n# Title\n\n${`${text} `.repeat(5)}\n\n\`\`\`bash\n${"npm install the package and run it\n".repeat(20)}\`\`\`\n`

const guess = (...pages: ReadonlyArray<string>) => {
  const guess = new LanguageGuess()
  for (const one of pages) guess.add(one)
  return Effect.runPromise(guess.guess)
}

describe("the language of an import", () => {
  for (const [language, text] of Object.entries(texts)) {
    it(`is told by the text, with code and names between: ${language}`, async () => {
      assert.strictEqual(await guess(page(text), page(text)), language)
    })
  }

  it("is not guessed of a text that says too little", async () => {
    assert.isUndefined(await guess("# Hi\n\n```\nlet a = 1\n```\n"))
    assert.isUndefined(await guess(""))
    assert.isUndefined(await guess("1 2 3 🙂 ".repeat(500)))
  })

  it.effect("becomes that of a space that has none, and is told", () =>
    onInstance(
      Effect.gen(function* () {
        const spaces = (yield* Storage).repository(SpaceTable)
        const space = yield* newSpace
        const { report } = yield* importFiles(space, { "README.md": page(texts.fa) })
        assert.deepStrictEqual(report.languages, [{ language: "fa", pages: 1 }])
        assert.strictEqual((yield* spaces.get({ id: space }))!.language, "fa")
        yield* importFiles(space, { "README.md": page(texts.de) })
        assert.strictEqual((yield* spaces.get({ id: space }))!.language, "fa")
      })
    )
  )

  it.effect("stays open for English, which spaces without one are read as", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const { report } = yield* importFiles(space, { "README.md": page(texts.en) })
        assert.isUndefined(report.languages)
        assert.isUndefined((yield* (yield* Storage).repository(SpaceTable).get({ id: space }))!.language)
      })
    )
  )
})

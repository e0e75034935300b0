import { assert, describe, it } from "@effect/vitest"
import * as UrlText from "@lectern/document/UrlText"

describe("a text in a URL", () => {
  for (const [text, expected] of [
    ["Getting started", "getting-started"],
    ["1. Create a Vue 3 App", "1.-create-a-vue-3-app"],
    ["Math & TeX", "math-and-tex"],
    ["Editing & publishing", "editing-and-publishing"],
    ["R&D", "r-and-d"],
    ["Abuse via .git/config", "abuse-via-.git-config"],
    ["Variables - Sequence (IF) - A / B", "variables-sequence-if-a-b"],
    ["c++ and a_b", "c++-and-a_b"],
    ["a | b", "a-or-b"],
    ["Vec<T>", "vec-less-than-t-greater-than"],
    ["$5, €5", "usd5-eur5"],
    ["Change your site’s settings", "change-your-site-s-settings"],
    ["don't", "don-t"],
    ["⏱️ Hang Detection", "hang-detection"],
    ["1️⃣ One", "1-one"],
    ["Hello — world…", "hello-world..."],
    ["“Quoted” ‐ and „so‟ on", "quoted-and-so-on"],
    ["soft\u00adhyphen \u200d♥\ufe0f it", "softhyphen-it"],
    ["Acceso al Módulo", "acceso-al-modulo"],
    ["Größe ändern", "groesse-aendern"],
    ["Những API cơ bản", "nhung-api-co-ban"],
    ["Ελληνικά", "ellinika"],
    ["Установка библиотеки libgdiplus", "ustanovka-biblioteki-libgdiplus"],
    ["Хранилище", "khranilishe"],
    ["订阅计划", "ding-yue-ji-hua"],
    ["LLM节点", "llm-jie-dian"],
    ["OpenClaw 可以在 Windows 或 macOS 上运行吗？", "openclaw-ke-yi-zai-windows-huo-macos-shang-yun-xing-ma"],
    ["4.3 如何在 scss 中使用自定义颜色", "4.3-ru-he-zai-scss-zhong-shi-yong-zi-ding-yi-yan-se"],
    ["5.2\u00a0Hook 发展的历史", "5.2hook-fa-zhan-de-li-shi"],
    ["설치", "seolci"],
    ["はじめに", "hazimeni"],
    ["हिन्दी", "hindii"],
    ["👍 ★", ""],
    ["---", ""],
    ["", ""]
  ] as const) {
    it(JSON.stringify(text), () => {
      assert.strictEqual(UrlText.urlText(text), expected)
    })
  }

  it("takes a part of a long text", () => {
    assert.strictEqual(UrlText.urlText("a".repeat(100_000)).length, 512)
  })
})

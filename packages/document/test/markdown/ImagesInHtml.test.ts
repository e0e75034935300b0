/** Images as authors write them in HTML by hand, and how they are written then. */
import { assert, describe, it } from "@effect/vitest"
import { brokenLaw, parse, print } from "./laws.ts"

const figure = (attributes: string, caption = "") =>
  `<figure><img ${attributes}><figcaption>${caption}</figcaption></figure>`

const cases: ReadonlyArray<readonly [written: string, printed: string]> = [
  [
    '<img class="b" src="a.png" loading="lazy" style="border: 0; width: 50%">',
    figure('src="a.png" alt="" width="50%"')
  ],
  ["<img src=a.png alt=b width=200 />", figure('src="a.png" alt="b" width="200"')],
  ['<img src="a.png" width="auto" title="T">', '![](a.png "T")'],
  ['<img align="right" src="a.png">', `<div align="right">${figure('src="a.png" alt=""')}</div>`],
  [
    '<p align="center">\n  <img src="a.png" width="600px"><br>\n  <img src="b.png" />\n</p>',
    `<div align="center">${figure('src="a.png" alt="" width="600px"')} ${figure('src="b.png" alt=""')}</div>`
  ],
  ['<center><img src="a.png"></center>', `<div align="center">${figure('src="a.png" alt=""')}</div>`],
  ['<p><img src="a.png"></p>', "![](a.png)"],
  [
    '<p align="center">\n  <a href="/u"><img src="a.png" id="c"></a>\n  text\n</p>',
    '<p align="center"><a href="/u"><img src="a.png" alt=""></a> text</p>'
  ],
  ['<a href="/u"><img src="a.png" class="b"></a>', "[![](a.png)](/u)"],
  ['a <img src="a.png" height="16" class="b"> b', 'a <img src="a.png" alt="" data-size="line"> b'],
  ['a <img src="a.png" width="300"> b', "a ![](a.png) b"],
  [
    '<picture>\n<source media="(prefers-color-scheme: dark)" srcset="d.png 1x, e.png 2x">\n<source media="(min-width: 9px)" srcset="l.png">\n<img src="l.png">\n</picture>',
    '<figure><picture><source srcset="d.png" media="(prefers-color-scheme: dark)"><img src="l.png" alt=""></picture><figcaption></figcaption></figure>'
  ],
  ...[
    '<img src="https://count.example/x" width="1" height="1">',
    '<img src="a.png" hidden>',
    '<img src="a.png" style="display:none">',
    '<img alt="b">',
    '<div class="c"><img src="a.png"></div>'
  ].map((same) => [same, same] as const)
]

describe("an image in HTML", () => {
  for (const [written, printed] of cases) {
    it(written, () => {
      assert.strictEqual(print(parse(written)), `${printed}\n`)
      assert.isUndefined(brokenLaw(written))
    })
  }
})

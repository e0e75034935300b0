/** Random MDX: components in any indentation, expressions, statements, and Markdown between and within them. */
import * as fc from "fast-check"

const word = fc.constantFrom(
  "alpha",
  "*beta*",
  "`{gamma}`",
  "[delta](https://a.b)",
  "{epsilon.zeta}",
  "<Eta size={2}>theta</Eta>"
)
const line = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => `Some ${words.join(" ")} here`)

const leaf = fc.oneof(
  line,
  fc.tuple(line, line).map((lines) => lines.join("\n")),
  line.map((text) => `## ${text}`),
  line.map((text) => `- ${text}\n- Some item`),
  line.map((text) => `1. ${text}\n\n   \`\`\`js title="a.js"\n   <Code>{x}</Code>\n   \`\`\``),
  line.map((text) => `> ${text}`),
  fc.constantFrom(
    "{/* a comment */}",
    "{/* a comment\n  of lines */}",
    "<Unknown a={[1, { b: 2 }]} />",
    '<Image src="/a.png" alt="A" />',
    "```ts\nconst a = { b: <T>() => {} }\n```",
    "{items.map((item) => (\n  <li key={item}>{item}</li>\n))}"
  )
)

const indented = (text: string, columns: number) => text.replace(/^(?=[^\n])/gm, " ".repeat(columns))

const wrap = (open: string, body: string, close: string, columns: number) =>
  `${open}\n${indented(body, columns)}\n${close}`

export const parts = fc.letrec<{ body: string; part: string }>((tie) => ({
  body: fc.array(tie("part"), { minLength: 1, maxLength: 3 }).map((all) => all.join("\n\n")),
  part: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    leaf,
    fc
      .tuple(
        fc.constantFrom(
          ["<Note>", "</Note>"],
          ['<Callout type="warning">', "</Callout>"],
          ['<Accordion title="More">', "</Accordion>"],
          ["<AccordionGroup>", "</AccordionGroup>"],
          ["<Mystery of={life}>", "</Mystery>"],
          ["<div className='own'>", "</div>"],
          ['<ParamField path="id" type="string" required>', "</ParamField>"]
        ),
        tie("body"),
        fc.constantFrom(0, 2, 4, 6)
      )
      .map(([[open, close], body, columns]) => wrap(open!, body, close!, columns)),
    fc
      .tuple(
        fc.constantFrom(["Tabs", 'Tab title="A"'], ["Steps", 'Step title="B"'], ["Columns", "Column"]),
        fc.array(tie("body"), { minLength: 1, maxLength: 2 }),
        fc.constantFrom(0, 2, 4)
      )
      .map(([[all, one], bodies, columns]) => {
        const items = bodies.map((body) => wrap(`<${one}>`, body, `</${one!.split(" ")[0]}>`, columns))
        return wrap(`<${all}>`, items.join("\n"), `</${all}>`, columns)
      })
  )
}))

export const page = fc
  .tuple(fc.boolean(), fc.array(parts.part, { minLength: 1, maxLength: 4 }))
  .map(
    ([hasImports, all]) =>
      `${hasImports ? "import A from './a.js'\nexport const b = {\n  c: 1\n}\n\n" : ""}${all.join("\n\n")}\n`
  )

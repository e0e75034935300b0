import { describe } from "@effect/vitest"
import { checkEach, type Situation } from "./MarkdownMerge.ts"

const list = (...items: ReadonlyArray<string>) => items.map((item) => `* ${item}`).join("\n")
const base = list("one apple", "two pears", "three plums")
const around = (text: string) => `Above\n\n${text}\n\nBelow`

const situations: ReadonlyArray<Situation> = [
  {
    name: "different items",
    base,
    main: list("one red apple", "two pears", "three plums"),
    ours: list("one apple", "two pears", "three blue plums"),
    merged: list("one red apple", "two pears", "three blue plums")
  },
  {
    name: "items added at one place: main's first",
    base: list("one apple", "three plums"),
    main: list("one apple", "two pears", "three plums"),
    ours: list("one apple", "two kiwis", "three plums"),
    merged: list("one apple", "two pears", "two kiwis", "three plums"),
    ordered: true
  },
  {
    name: "the same item added by both: once",
    base: list("one apple"),
    main: list("one apple", "two pears"),
    ours: list("one apple", "two pears", "three plums"),
    merged: list("one apple", "two pears", "three plums")
  },
  {
    name: "an item deleted by main, edited by ours",
    base,
    main: list("one apple", "three plums"),
    ours: list("one apple", "two green pears", "three plums"),
    merged: list("one apple", "two green pears", "three plums"),
    conflicts: [["two pears", undefined, "two green pears"]],
    keptMain: list("one apple", "three plums"),
    keptOurs: list("one apple", "two green pears", "three plums")
  },
  {
    name: "an item deleted by ours, edited by main",
    base,
    main: list("one apple", "two green pears", "three plums"),
    ours: list("one apple", "three plums"),
    merged: list("one apple", "two green pears", "three plums"),
    conflicts: [["two pears", "two green pears", undefined]],
    keptMain: list("one apple", "two green pears", "three plums"),
    keptOurs: list("one apple", "three plums")
  },
  {
    name: "a nested item under an edited one",
    base: "* the parent item\n  * nested one\n  * nested two",
    main: "* the only parent item\n  * nested one\n  * nested two",
    ours: "* the parent item\n  * nested one\n  * nested two, edited",
    merged: "* the only parent item\n  * nested one\n  * nested two, edited"
  },
  {
    name: "a nested item edited under one that was deleted: all of it stays",
    base: "* first\n* the parent item\n  * nested one\n  * nested two",
    main: "* first",
    ours: "* first\n* the parent item\n  * nested one\n  * nested two, edited",
    merged: "* first\n* the parent item\n  * nested one\n  * nested two, edited",
    conflicts: [
      [
        "the parent item\n\n* nested one\n* nested two",
        undefined,
        "the parent item\n\n* nested one\n* nested two, edited"
      ]
    ],
    keptMain: "* first"
  },
  {
    name: "an item added under one that was deleted: all of it stays",
    base: "* first\n* the parent item\n  * nested one",
    main: "* first",
    ours: "* first\n* the parent item\n  * nested one\n  * a nested two",
    merged: "* first\n* the parent item\n  * nested one\n  * a nested two",
    conflicts: [["the parent item\n\n* nested one", undefined, "the parent item\n\n* nested one\n* a nested two"]]
  },
  {
    name: "bullets made numbers, and an item",
    base: list("one apple", "two pears"),
    main: "1. one apple\n2. two pears",
    ours: list("one apple", "two green pears", "three plums"),
    merged: "1. one apple\n2. two green pears\n3. three plums"
  },
  {
    name: "bullets made tasks, and an item",
    base: list("one apple", "two pears"),
    main: "* [ ] one apple\n* [x] two pears",
    ours: list("one apple", "two green pears"),
    merged: "* [ ] one apple\n* [x] two green pears"
  },
  {
    name: "bullets made numbers by one, tasks by the other",
    base: list("one apple", "two pears"),
    main: "1. one apple\n2. two pears",
    ours: "* [ ] one apple\n* [ ] two pears",
    merged: "* [ ] one apple\n* [ ] two pears",
    conflicts: [[list("one apple", "two pears"), "1. one apple\n2. two pears", "* [ ] one apple\n* [ ] two pears"]]
  },
  {
    name: "the first number and an item",
    base: "1. one apple\n2. two pears",
    main: "3. one apple\n4. two pears",
    ours: "1. one apple\n2. two green pears",
    merged: "3. one apple\n4. two green pears"
  },
  {
    name: "a task ticked and edited",
    base: "* [ ] buy milk now\n* [ ] sleep",
    main: "* [x] buy milk now\n* [ ] sleep",
    ours: "* [ ] buy oat milk now\n* [ ] sleep",
    merged: "* [x] buy oat milk now\n* [ ] sleep"
  },
  {
    name: "an item moved and edited",
    base: list("one red apple", "two green pears", "three blue plums"),
    main: list("three blue plums", "one red apple", "two green pears"),
    ours: list("one red apple", "two green pears", "three blue ripe plums"),
    merged: list("three blue ripe plums", "one red apple", "two green pears")
  },
  {
    name: "an item put under another and edited",
    base: list("one red apple", "two green pears"),
    main: "* one red apple\n  * two green pears",
    ours: list("one red apple", "two green, ripe pears"),
    merged: "* one red apple\n  * two green, ripe pears"
  },
  {
    name: "put into a hint and edited by ours, a short item of it deleted and another edited by main",
    base: around(list("one", "two pears", "three", "four", "five plums")),
    main: around(list("one", "3", "four", "five plums")),
    ours: around(`{% hint style="info" %}\n${list("one", "two pears", "three", "four", "five", "six")}\n{% endhint %}`),
    merged: around(`{% hint style="info" %}\n${list("one", "3", "four", "five", "six")}\n{% endhint %}`)
  },
  {
    name: "a list cut in two and edited in both",
    base: list("one apple", "two pears", "three plums"),
    main: `${list("one apple")}\n\nBetween\n\n${list("two pears", "three plums")}`,
    ours: list("one apple", "two green pears", "three blue plums"),
    merged: `${list("one apple")}\n\nBetween\n\n${list("two green pears", "three blue plums")}`
  },
  {
    name: "a list deleted by main, edited by ours: all of it stays",
    base: around(base),
    main: "Above\n\nBelow",
    ours: around(list("one apple", "two green pears", "three plums")),
    merged: around(list("one apple", "two green pears", "three plums")),
    conflicts: [[base, undefined, list("one apple", "two green pears", "three plums")]],
    keptMain: "Above\n\nBelow"
  }
]

describe("merging lists", () => checkEach(situations))

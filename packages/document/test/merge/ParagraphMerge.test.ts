import { describe } from "@effect/vitest"
import { checkEach, type Situation } from "./MarkdownMerge.ts"

const fox = "The quick brown fox jumps over the dog."

const words: ReadonlyArray<Situation> = [
  {
    name: "in different places",
    base: fox,
    main: "The slow brown fox jumps over the dog.",
    ours: "The quick brown fox jumps over the cat.",
    merged: "The slow brown fox jumps over the cat."
  },
  {
    name: "the same word, and another",
    base: fox,
    main: "The slow brown fox jumps over the cat.",
    ours: "The swift brown fox jumps over the dog.",
    merged: "The swift brown fox jumps over the cat.",
    conflicts: [[fox, "The slow brown fox jumps over the cat.", "The swift brown fox jumps over the dog."]]
  },
  {
    name: "beside each other: they may not go together",
    base: "one two three four",
    main: "one 2 three four",
    ours: "one two 3 four",
    merged: "one two 3 four",
    conflicts: [["one two three four", "one 2 three four", "one two 3 four"]]
  },
  {
    name: "added at one place",
    base: "A sentence.",
    main: "A sentence. Of main.",
    ours: "A sentence. Of ours.",
    merged: "A sentence. Of ours.",
    conflicts: [["A sentence.", "A sentence. Of main.", "A sentence. Of ours."]],
    keptMain: "A sentence. Of main."
  },
  {
    name: "put in place of one, behind which the other added",
    base: "First.\n\n![](one.png)\n\nLast.\n",
    main: "First.\n\n![](one.png)\n\nAdded behind it.\n\nLast.\n",
    ours: "First.\n\n## Something quite different\n\n* here\n\nLast.\n",
    merged: "First.\n\n## Something quite different\n\n* here\n\nAdded behind it.\n\nLast."
  },
  {
    name: "deleted around one that the other edited",
    base: "The very quick brown fox jumps.",
    main: "The fox jumps.",
    ours: "The very quick red fox jumps.",
    merged: "The very quick red fox jumps.",
    conflicts: [["The very quick brown fox jumps.", "The fox jumps.", "The very quick red fox jumps."]]
  },
  {
    name: "all of them by one, a word by the other",
    base: fox,
    main: "Nothing of that is left, sorry.",
    ours: "The quick brown fox jumps over the cat.",
    merged: "The quick brown fox jumps over the cat.",
    conflicts: [[fox, "Nothing of that is left, sorry.", "The quick brown fox jumps over the cat."]],
    keptMain: "Nothing of that is left, sorry."
  },
  {
    name: "in two lines of one paragraph",
    base: "line one\\\nline two",
    main: "line 1\\\nline two",
    ours: "line one\\\nline 2",
    merged: "line 1\\\nline 2"
  }
]

const inText: ReadonlyArray<Situation> = [
  {
    name: "a mark, and a word beside it",
    base: "Read the manual before use.",
    main: "Read the **manual** before use.",
    ours: "Read the manual well before use.",
    merged: "Read the **manual** well before use."
  },
  {
    name: "a mark, and the word itself",
    base: "Read the manual before use.",
    main: "Read the **manual** before use.",
    ours: "Read the handbook before use.",
    merged: "Read the handbook before use.",
    conflicts: [["Read the manual before use.", "Read the **manual** before use.", "Read the handbook before use."]]
  },
  {
    name: "different marks of one word",
    base: "Read the manual before use.",
    main: "Read the **manual** before use.",
    ours: "Read the _manual_ before use.",
    merged: "Read the **_manual_** before use."
  },
  {
    name: "a mark set by one, taken away from another word by the other",
    base: "Read **the** manual before use.",
    main: "Read **the** `manual` before use.",
    ours: "Read the manual before use.",
    merged: "Read the `manual` before use."
  },
  {
    name: "where a link leads, and what it says",
    base: "See [the docs page](https://a.example) now.",
    main: "See [the docs page](https://b.example) now.",
    ours: "See [the guide page](https://a.example) now.",
    merged: "See [the guide page](https://b.example) now."
  },
  {
    name: "different words of a link",
    base: "See [the docs page here](https://a.example) now.",
    main: "See [the manual page here](https://a.example) now.",
    ours: "See [the docs page there](https://a.example) now.",
    merged: "See [the manual page there](https://a.example) now."
  },
  {
    name: "where a link leads, by both",
    base: "See [the docs](https://a.example) now.",
    main: "See [the docs](https://b.example) now.",
    ours: "See [the docs](https://c.example) now.",
    merged: "See [the docs](https://c.example) now.",
    conflicts: [
      [
        "See [the docs](https://a.example) now.",
        "See [the docs](https://b.example) now.",
        "See [the docs](https://c.example) now."
      ]
    ]
  },
  {
    name: "a link set by one, words around it by the other",
    base: "See the docs page now.",
    main: "See the [docs](https://a.example) page now.",
    ours: "See the docs page right now.",
    merged: "See the [docs](https://a.example) page right now."
  },
  {
    name: "the source and the description of an image in the text",
    base: "See ![one](https://a.example/x.png) here.",
    main: "See ![two](https://a.example/x.png) here.",
    ours: "See ![one](https://a.example/y.png) here.",
    merged: "See ![two](https://a.example/y.png) here."
  },
  {
    name: "a formula and a word",
    base: "Say $$a+b$$ now.",
    main: "Say $$a+c$$ now.",
    ours: "Say $$a+b$$ later.",
    merged: "Say $$a+c$$ later."
  }
]

const blocks: ReadonlyArray<Situation> = [
  {
    name: "moved and edited",
    base: "one one one\n\ntwo two two\n\nthree three three",
    main: "three three three\n\none one one\n\ntwo two two",
    ours: "one one one\n\ntwo two two\n\nthree four three",
    merged: "three four three\n\none one one\n\ntwo two two"
  },
  {
    name: "made a heading and edited",
    base: "Some title words",
    main: "## Some title words",
    ours: "Some new title words",
    merged: "## Some new title words"
  },
  {
    name: "cut in two and edited in the first part",
    base: "First sentence here today. Second sentence there tomorrow.",
    main: "First sentence here today.\n\nSecond sentence there tomorrow.",
    ours: "First good sentence here today. Second sentence there tomorrow.",
    merged: "First good sentence here today.\n\nSecond sentence there tomorrow."
  },
  {
    name: "cut in two and edited in the second part",
    base: "First sentence here today. Second sentence there tomorrow.",
    main: "First sentence here today.\n\nSecond sentence there tomorrow.",
    ours: "First sentence here today. Second sentence over there tomorrow.",
    merged: "First sentence here today.\n\nSecond sentence over there tomorrow."
  },
  {
    name: "cut in two and edited in both parts",
    base: "First sentence. Second sentence there tomorrow, or the day after.",
    main: "First sentence.\n\nSecond sentence there tomorrow, or the day after.",
    ours: "First good sentence. Second sentence there tomorrow, or a day after.",
    merged: "First good sentence.\n\nSecond sentence there tomorrow, or a day after."
  },
  {
    name: "joined and edited in the second part",
    base: "First sentence here today.\n\nSecond sentence there tomorrow.",
    main: "First sentence here today. Second sentence there tomorrow.",
    ours: "First sentence here today.\n\nSecond sentence over there tomorrow.",
    merged: "First sentence here today. Second sentence over there tomorrow."
  },
  {
    name: "cut in two, and the same word edited by both",
    base: "First sentence here today. Second sentence there tomorrow.",
    main: "First sentence here today.\n\nSecond sentence there never.",
    ours: "First sentence here today. Second sentence there later.",
    merged: "First sentence here today. Second sentence there later.\n\nSecond sentence there never.",
    conflicts: [
      [
        "First sentence here today. Second sentence there tomorrow.",
        "First sentence here today.",
        "First sentence here today. Second sentence there later."
      ]
    ]
  },
  {
    name: "deleted by main, edited by ours",
    base: `keep\n\n${fox}\n\nend`,
    main: "keep\n\nend",
    ours: "keep\n\nThe quick red fox jumps over the dog.\n\nend",
    merged: "keep\n\nThe quick red fox jumps over the dog.\n\nend",
    conflicts: [[fox, undefined, "The quick red fox jumps over the dog."]],
    keptMain: "keep\n\nend",
    keptOurs: "keep\n\nThe quick red fox jumps over the dog.\n\nend"
  },
  {
    name: "added at one place: main's first",
    base: "a a a\n\nb b b",
    main: "a a a\n\nof main\n\nb b b",
    ours: "a a a\n\nof ours\n\nb b b",
    merged: "a a a\n\nof main\n\nof ours\n\nb b b",
    ordered: true
  },
  {
    name: "of one word, moved by both to different places: once, where ours has it",
    base: "one\n\ntwo\n\nthree",
    main: "two\n\none\n\nthree",
    ours: "three\n\ntwo\n\none",
    merged: "three\n\ntwo\n\none",
    ordered: true
  },
  {
    name: "of one word, moved by both, in whose place main put something: once, and the new one is asked about",
    base: "one\n\ntwo\n\nthree",
    main: "of main\n\ntwo\n\none\n\nthree",
    ours: "three\n\ntwo\n\none",
    merged: "of main\n\nthree\n\ntwo\n\none",
    conflicts: [["one", "of main", undefined]],
    ordered: true
  }
]

describe("merging text", () => {
  describe("words", () => checkEach(words))
  describe("marks and what stands in the text", () => checkEach(inText))
  describe("a paragraph", () => checkEach(blocks))
})

/** A field for an emoji: a button with the current one, and a list that is searched by names. */
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { Button, Dialog, DialogTrigger, Input, Label, Popover, TextField } from "react-aria-components"
import { writingText } from "../../language/WritingTexts.ts"

const maxEmoji = 120

/** Names of emoji that fit pages, shown before a search. */
const suggested = ["rocket", "bulb", "book", "wave", "gear", "key", "lock", "bug", "star", "heart", "fire", "sparkles"]

interface EmojiFieldProps {
  /** Empty for none. */
  readonly value: string
  readonly onChange: (emoji: string) => void
}

const emojiQuery = {
  queryKey: ["emoji"],
  staleTime: Infinity,
  queryFn: async () => {
    const [{ codeOfName, emojiMatching }, { emojiCharacters }] = await Promise.all([
      import("@lectern/document/markdown/Emoji"),
      import("@lectern/document/EmojiCode")
    ])
    return (search: string) => {
      const found = emojiMatching(search, maxEmoji)
      const first = search === "" ? suggested.map((name) => ({ name, code: codeOfName(name) ?? "" })) : []
      const codes = new Set(first.map(({ code }) => code))
      return [...first.filter(({ code }) => code !== ""), ...found.filter(({ code }) => !codes.has(code))].map(
        ({ code, name }) => ({ name, emoji: emojiCharacters(code) })
      )
    }
  }
}

const EmojiList = ({ onChoose }: { readonly onChoose: (emoji: string) => void }) => {
  const [search, setSearch] = useState("")
  const { data: find } = useQuery(emojiQuery)
  const found = find?.(search.trim()) ?? []
  return (
    <>
      <TextField value={search} onChange={setSearch} autoFocus aria-label={writingText("settings.emojiSearch")}>
        <Input placeholder={writingText("settings.emojiSearch")} />
      </TextField>
      <div className="emoji-list">
        {found.map(({ emoji, name }) => (
          <Button key={name} className="plain square" aria-label={name} onPress={() => onChoose(emoji)}>
            {emoji}
          </Button>
        ))}
      </div>
      {find !== undefined && found.length === 0 && <p className="muted">{writingText("settings.noEmoji")}</p>}
    </>
  )
}

export const EmojiField = ({ value, onChange }: EmojiFieldProps) => (
  <div className="field">
    <Label elementType="span">{writingText("settings.emoji")}</Label>
    <div className="buttons">
      <DialogTrigger>
        <Button
          className="control"
          aria-label={`${writingText("settings.emoji")}: ${value || writingText("settings.none")}`}
        >
          {value === "" ? writingText("settings.choose") : value}
        </Button>
        <Popover className="popover emoji-popover" placement="bottom start">
          <Dialog aria-label={writingText("settings.emoji")} className="emoji-dialog">
            {({ close }) => (
              <EmojiList
                onChoose={(emoji) => {
                  onChange(emoji)
                  close()
                }}
              />
            )}
          </Dialog>
        </Popover>
      </DialogTrigger>
      {value !== "" && (
        <Button className="control" onPress={() => onChange("")}>
          {writingText("settings.remove")}
        </Button>
      )}
    </div>
  </div>
)

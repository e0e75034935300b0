/** Asks for the title and the address of a new link in the tree. */
import { useState } from "react"
import { Button, Form, Input, Label, TextField } from "react-aria-components"
import { Window } from "../frame/Window.tsx"
import { text } from "../language/Language.ts"

interface NewLinkProps {
  readonly onClose: () => void
  readonly onCreate: (link: { readonly title: string; readonly url: string }) => void
}

const maxTitle = 256
const maxUrl = 8_192

export const NewLink = ({ onClose, onCreate }: NewLinkProps) => {
  const [title, setTitle] = useState("")
  const [url, setUrl] = useState("")
  const link = { title: title.trim(), url: url.trim() }
  return (
    <Window title={text("tree.newLink")} isOpen onClose={onClose}>
      <Form
        onSubmit={(event) => {
          event.preventDefault()
          if (link.title !== "" && link.url !== "") onCreate(link)
        }}
      >
        <TextField value={title} onChange={setTitle} maxLength={maxTitle} autoFocus isRequired>
          <Label>{text("tree.title")}</Label>
          <Input dir="auto" />
        </TextField>
        <TextField value={url} onChange={setUrl} maxLength={maxUrl} type="url" isRequired>
          <Label>{text("tree.address")}</Label>
          <Input dir="ltr" placeholder="https://" />
        </TextField>
        <div className="buttons end">
          <Button className="control" onPress={onClose}>
            {text("action.cancel")}
          </Button>
          <Button type="submit" className="control primary">
            {text("tree.create")}
          </Button>
        </div>
      </Form>
    </Window>
  )
}

/** Dialogs for the settings of a space and of a collection in the list: name, place, and deletion. */
import { emojiCharacters } from "@lectern/document/EmojiCode"
import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { Button, FieldError, Form, Input, Label, TextField } from "react-aria-components"
import { request } from "../api/Api.ts"
import type { Collection, Space } from "../api/Resources.ts"
import { notify, notifyProblem } from "../frame/Notices.tsx"
import { FormProblem } from "../frame/Problem.tsx"
import { Window } from "../frame/Window.tsx"
import { text } from "../language/Language.ts"
import { CollectionSelect } from "./CollectionSelect.tsx"
import { refreshSpaces, restoreSpace } from "./SpaceWrites.ts"

const maxTitle = 50

interface SpaceSettingsProps {
  readonly space: Space
  readonly collections: ReadonlyArray<Collection>
  readonly onClose: () => void
}

export const SpaceSettings = ({ space, collections, onClose }: SpaceSettingsProps) => {
  const { id, organization } = space
  const [title, setTitle] = useState(space.title)
  const [emoji, setEmoji] = useState(emojiCharacters(space.emoji))
  const [parent, setParent] = useState(space.parent ?? "")
  const save = useMutation({
    mutationFn: async () => {
      await request(`/spaces/${id}`, { method: "PATCH", body: { title: title.trim(), emoji: emoji.trim() } })
      if (parent !== (space.parent ?? ""))
        await request(`/spaces/${id}/move`, { body: { parent: parent === "" ? null : parent } })
    },
    onSuccess: async () => {
      await refreshSpaces(organization)
      onClose()
    }
  })
  const remove = useMutation({
    mutationFn: () => request(`/spaces/${id}`, { method: "DELETE" }),
    onSuccess: async () => {
      await refreshSpaces(organization)
      onClose()
      notify(text("spaceSettings.deleted", { title: space.title }), {
        label: text("action.undo"),
        run: () => void restoreSpace(organization, id).catch(notifyProblem)
      })
    }
  })
  return (
    <Window title={text("spaceSettings.title")} isOpen onClose={onClose}>
      <Form
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <TextField value={title} onChange={setTitle} maxLength={maxTitle} isRequired autoFocus>
          <Label>{text("newSpace.name")}</Label>
          <Input dir="auto" />
          <FieldError className="input-problem" />
        </TextField>
        <TextField value={emoji} onChange={setEmoji} maxLength={maxTitle}>
          <Label>{text("spaceSettings.emoji")}</Label>
          <Input />
        </TextField>
        <CollectionSelect collections={collections} value={parent} onChange={setParent} />
        <FormProblem failure={save.error ?? remove.error} />
        <div className="buttons spread">
          <Button className="control danger" isDisabled={remove.isPending} onPress={() => remove.mutate()}>
            {text("spaceSettings.delete")}
          </Button>
          <Button className="control primary" type="submit" isDisabled={save.isPending}>
            {text("action.save")}
          </Button>
        </div>
        <p className="muted">{text("spaceSettings.deleteHelp")}</p>
      </Form>
    </Window>
  )
}

interface CollectionSettingsProps {
  readonly organization: string
  /** Collection to change. Absent for a new one. */
  readonly collection?: Collection | undefined
  readonly collections: ReadonlyArray<Collection>
  readonly onClose: () => void
}

export const CollectionSettings = ({ organization, collection, collections, onClose }: CollectionSettingsProps) => {
  const [title, setTitle] = useState(collection?.title ?? "")
  const [parent, setParent] = useState(collection?.parent ?? "")
  const done = async () => {
    await refreshSpaces(organization)
    onClose()
  }
  const save = useMutation({
    mutationFn: async () => {
      if (collection === undefined)
        return void (await request(`/orgs/${organization}/collections`, {
          body: { title: title.trim(), ...(parent !== "" && { parent }) }
        }))
      await request(`/collections/${collection.id}`, { method: "PATCH", body: { title: title.trim() } })
      if (parent !== (collection.parent ?? ""))
        await request(`/collections/${collection.id}/move`, { body: { parent: parent === "" ? null : parent } })
    },
    onSuccess: done
  })
  const remove = useMutation({
    mutationFn: () => request(`/collections/${collection!.id}`, { method: "DELETE" }),
    onSuccess: done
  })
  return (
    <Window title={text(collection === undefined ? "collection.new" : "collection.settings")} isOpen onClose={onClose}>
      <Form
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <TextField value={title} onChange={setTitle} maxLength={maxTitle} isRequired autoFocus>
          <Label>{text("newSpace.name")}</Label>
          <Input dir="auto" />
          <FieldError className="input-problem" />
        </TextField>
        <CollectionSelect
          collections={collections}
          value={parent}
          onChange={setParent}
          {...(collection && { except: collection.id })}
        />
        <FormProblem failure={save.error ?? remove.error} />
        <div className="buttons spread">
          {collection !== undefined && (
            <Button className="control danger" isDisabled={remove.isPending} onPress={() => remove.mutate()}>
              {text("spaceSettings.delete")}
            </Button>
          )}
          <Button className="control primary" type="submit" isDisabled={save.isPending}>
            {text(collection === undefined ? "newSpace.create" : "action.save")}
          </Button>
        </div>
        {collection !== undefined && <p className="muted">{text("collection.deleteHelp")}</p>}
      </Form>
    </Window>
  )
}

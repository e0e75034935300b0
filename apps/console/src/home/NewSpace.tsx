/**
 * Dialog that creates a space: empty, or with the pages of a file. A Markdown file, a Word document, an HTML page or a
 * ZIP archive of them is imported. Limit: 14 MB, since a request has at most 20 MiB.
 */
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { Button, FileTrigger, Form, Input, Label, TextField } from "react-aria-components"
import { request } from "../api/Api.ts"
import type { Space } from "../api/Resources.ts"
import { Icon } from "../frame/Icon.tsx"
import { notify } from "../frame/Notices.tsx"
import { Window } from "../frame/Window.tsx"
import { countedText, text } from "../language/Language.ts"
import { dataUrl } from "../space/DataUrl.ts"

const maxTitle = 50
const maxFileBytes = 14_000_000

const sources: { readonly [extension: string]: string } = {
  md: "markdown",
  markdown: "markdown",
  html: "html",
  docx: "docx",
  zip: "zip"
}

const sourceOf = (file: File): string | undefined => sources[file.name.split(".").at(-1)!.toLowerCase()]

interface ImportResult {
  readonly importedResources: number
  readonly totalResources: number
  readonly report: { readonly sentences?: ReadonlyArray<string> }
}

interface NewSpaceProps {
  readonly organization: string
  readonly onClose: () => void
}

export const NewSpace = ({ organization, onClose }: NewSpaceProps) => {
  const [title, setTitle] = useState("")
  const [file, setFile] = useState<File>()
  const [fileProblem, setFileProblem] = useState<string>()
  const client = useQueryClient()
  const navigate = useNavigate()

  const create = useMutation({
    mutationFn: async () => {
      const space = await request<Space>(`/orgs/${organization}/spaces`, { body: { title: title.trim() } })
      if (file === undefined) return space
      try {
        const result = await request<ImportResult>(`/spaces/${space.id}/content/import`, {
          body: { source: sourceOf(file), url: await dataUrl(file) },
          timeout: 90_000
        })
        const omitted = result.totalResources - result.importedResources
        notify(
          [
            countedText("newSpace.imported", result.importedResources),
            ...(omitted > 0 ? [countedText("newSpace.omitted", omitted)] : []),
            ...(result.report.sentences ?? []).slice(0, 2)
          ].join(" ")
        )
        return space
      } catch (failure) {
        // Without its content, the space would be a surprise in the list.
        await request(`/spaces/${space.id}`, { method: "DELETE" }).catch(() => undefined)
        throw failure
      }
    },
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: ["spaces", organization] })
      onClose()
      await navigate({ to: "/spaces/$space", params: { space: id } })
    }
  })

  const choose = (chosen: File | undefined) => {
    const problem =
      chosen === undefined
        ? undefined
        : sourceOf(chosen) === undefined
          ? text("newSpace.unknownFile")
          : chosen.size > maxFileBytes
            ? text("newSpace.largeFile", { limit: maxFileBytes / 1_000_000 })
            : undefined
    setFileProblem(problem)
    setFile(problem === undefined ? chosen : undefined)
    if (problem === undefined && chosen !== undefined && title === "")
      setTitle(chosen.name.replace(/\.[^.]+$/, "").slice(0, maxTitle))
  }

  return (
    <Window title={text("newSpace.title")} isOpen onClose={onClose}>
      <Form
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate()
        }}
      >
        <TextField value={title} onChange={setTitle} maxLength={maxTitle} isRequired autoFocus>
          <Label>{text("newSpace.name")}</Label>
          <Input placeholder={text("newSpace.example")} dir="auto" />
        </TextField>
        <div className="field">
          <span className="field-label">{text("newSpace.content")}</span>
          <div className="buttons">
            <FileTrigger
              acceptedFileTypes={Object.keys(sources).map((name) => `.${name}`)}
              onSelect={(files) => choose(files?.[0])}
            >
              <Button className="control">
                <Icon name="folder" />
                {text("newSpace.choose")}
              </Button>
            </FileTrigger>
            {file && (
              <span className="chosen-file" dir="auto">
                {file.name}
                <Button
                  className="plain square"
                  aria-label={text("newSpace.without")}
                  onPress={() => choose(undefined)}
                >
                  <Icon name="close" />
                </Button>
              </span>
            )}
          </div>
          <p className="muted">{text("newSpace.contentHelp")}</p>
          {fileProblem && (
            <p className="field-problem" role="alert">
              {fileProblem}
            </p>
          )}
        </div>
        {create.error && (
          <p className="field-problem" role="alert">
            {create.error.message}
          </p>
        )}
        <div className="buttons end">
          <Button className="control" onPress={onClose}>
            {text("action.cancel")}
          </Button>
          <Button className="control primary" type="submit" isDisabled={create.isPending}>
            {text(create.isPending ? "newSpace.creating" : "newSpace.create")}
          </Button>
        </div>
      </Form>
    </Window>
  )
}

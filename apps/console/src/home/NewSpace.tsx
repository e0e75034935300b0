/**
 * Dialog that creates a space: empty, from a template, or with imported content. While an import runs, the dialog shows
 * the progress, and then a report. An import continues if the dialog is closed.
 */
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useRef, useState } from "react"
import {
  Button,
  FieldError,
  FileTrigger,
  Form,
  Input,
  Label,
  Radio,
  RadioGroup,
  TextField
} from "react-aria-components"
import { request } from "../api/Api.ts"
import type { Collection, ImportReport, Space } from "../api/Resources.ts"
import { Icon } from "../frame/Icon.tsx"
import { notify } from "../frame/Notices.tsx"
import { FormProblem } from "../frame/Problem.tsx"
import { Window } from "../frame/Window.tsx"
import { countedText, text } from "../language/Language.ts"
import { CollectionSelect } from "./CollectionSelect.tsx"
import {
  filesProblem,
  folderContent,
  hasPages,
  importExtensions,
  type ImportProgress,
  importSource,
  type ImportSource
} from "./Imports.ts"

const maxTitle = 50

const contents = ["empty", "template", "files", "folder", "website", "git"] as const
type Content = (typeof contents)[number]

/** Templates that each server has. */
const templates = ["product-docs", "api-reference", "handbook", "changelog"] as const

/** Problems that the report lists at first. */
const maxProblems = 100

interface NewSpaceProps {
  readonly organization: string
  readonly collections: ReadonlyArray<Collection>
  readonly onClose: () => void
}

export const NewSpace = ({ organization, collections, onClose }: NewSpaceProps) => {
  const [title, setTitle] = useState("")
  const [parent, setParent] = useState("")
  const [content, setContent] = useState<Content>("empty")
  const [template, setTemplate] = useState<string>(templates[0])
  const [files, setFiles] = useState<ReadonlyArray<File>>([])
  const [filesRefusal, setFilesRefusal] = useState<string>()
  const [url, setUrl] = useState("")
  const [branch, setBranch] = useState("main")
  const [progress, setProgress] = useState<ImportProgress>()
  const [imported, setImported] = useState<{ readonly space: Space; readonly report: ImportReport }>()
  const abort = useRef(new AbortController())
  const client = useQueryClient()
  const navigate = useNavigate()
  const refresh = () => client.invalidateQueries({ queryKey: ["spaces", organization] })
  const openSpace = (space: Space) => navigate({ to: "/spaces/$space", params: { space: space.id } })

  const source = (): ImportSource | undefined => {
    switch (content) {
      case "files":
      case "folder":
        return { type: content, files }
      case "website":
        return { type: "website", url: url.trim() }
      case "git":
        return { type: "git", url: url.trim(), branch: branch.trim() }
      default:
        return undefined
    }
  }

  const create = useMutation({
    mutationFn: async () => {
      const space = await request<Space>(`/orgs/${organization}/spaces`, {
        body: {
          title: title.trim(),
          ...(parent !== "" && { parent }),
          ...(content === "template" && { template: { id: template } })
        }
      })
      const chosen = source()
      if (chosen === undefined) return { space }
      try {
        const report = await importSource(chosen, {
          organization,
          space: space.id,
          onProgress: setProgress,
          signal: abort.current.signal
        })
        return { space, report }
      } catch (failure) {
        // Without its content, the space would be a surprise in the list. A closed dialog ends only the watching.
        if (!abort.current.signal.aborted)
          await request(`/spaces/${space.id}`, { method: "DELETE" }).catch(() => undefined)
        throw failure
      } finally {
        void refresh()
      }
    },
    onSuccess: async ({ report, space }) => {
      await refresh()
      if (report !== undefined) return setImported({ space, report })
      onClose()
      await openSpace(space)
    },
    onError: () => setProgress(undefined)
  })

  const close = () => {
    if (progress !== undefined && imported === undefined) {
      abort.current.abort()
      notify(text("newSpace.background"))
    }
    onClose()
  }

  const choose = (chosen: ReadonlyArray<File>) => {
    const isFolder = content === "folder"
    const usable = isFolder ? folderContent(chosen) : chosen
    const refusal = isFolder ? (hasPages(usable) ? undefined : text("newSpace.noPages")) : filesProblem(usable)
    setFilesRefusal(refusal)
    setFiles(refusal === undefined ? usable : [])
    const [first] = usable
    if (refusal === undefined && first !== undefined && title === "")
      setTitle(
        (isFolder ? first.webkitRelativePath.split("/")[0]! : first.name.replace(/\.[^.]+$/, "")).slice(0, maxTitle)
      )
  }

  if (imported !== undefined)
    return (
      <Window title={text("newSpace.imported.title")} isOpen onClose={onClose}>
        <Report report={imported.report} />
        <div className="buttons end">
          <Button
            className="control primary"
            autoFocus
            onPress={() => {
              onClose()
              void openSpace(imported.space)
            }}
          >
            {text("newSpace.open")}
          </Button>
        </div>
      </Window>
    )

  if (progress !== undefined)
    return (
      <Window title={text("newSpace.importing")} isOpen onClose={close}>
        <p role="status">
          {progress.uploaded === undefined
            ? text("newSpace.running")
            : text("newSpace.uploading", { done: progress.uploaded[0], all: progress.uploaded[1] })}
        </p>
        <progress
          className="progress"
          aria-label={text("newSpace.importing")}
          {...(progress.uploaded && { value: progress.uploaded[0], max: progress.uploaded[1] })}
        />
        <p className="muted">{text("newSpace.mayClose")}</p>
      </Window>
    )

  const needsFiles = content === "files" || content === "folder"
  return (
    <Window title={text("newSpace.title")} isOpen onClose={onClose}>
      <Form
        onSubmit={(event) => {
          event.preventDefault()
          if (needsFiles && files.length === 0) return setFilesRefusal(text("newSpace.chooseFirst"))
          create.mutate()
        }}
      >
        <TextField value={title} onChange={setTitle} maxLength={maxTitle} isRequired autoFocus>
          <Label>{text("newSpace.name")}</Label>
          <Input placeholder={text("newSpace.example")} dir={title === "" ? undefined : "auto"} />
          <FieldError className="input-problem" />
        </TextField>
        {collections.length > 0 && <CollectionSelect collections={collections} value={parent} onChange={setParent} />}
        <RadioGroup
          value={content}
          onChange={(value) => {
            setContent(value as Content)
            setFiles([])
            setFilesRefusal(undefined)
          }}
          className="options columns"
        >
          <Label>{text("newSpace.content")}</Label>
          {contents.map((name) => (
            <Radio key={name} value={name} className="option">
              <span>{text(`newSpace.content.${name}`)}</span>
            </Radio>
          ))}
        </RadioGroup>
        {content === "template" && (
          <label className="field">
            <span className="field-label">{text("newSpace.template")}</span>
            <select className="select" value={template} onChange={(event) => setTemplate(event.target.value)}>
              {templates.map((name) => (
                <option key={name} value={name}>
                  {text(`newSpace.template.${name}`)}
                </option>
              ))}
            </select>
          </label>
        )}
        {needsFiles && (
          <div className="field">
            <div className="buttons">
              <FileTrigger
                key={content}
                allowsMultiple={content === "files"}
                acceptDirectory={content === "folder"}
                {...(content === "files" && { acceptedFileTypes: importExtensions.map((name) => `.${name}`) })}
                onSelect={(chosen) => choose([...(chosen ?? [])])}
              >
                <Button className="control">
                  <Icon name="folder" />
                  {text(content === "folder" ? "newSpace.chooseFolder" : "newSpace.choose")}
                </Button>
              </FileTrigger>
              {files.length > 0 && (
                <span className="chosen-file" dir="auto">
                  {files.length === 1 ? files[0]!.name : countedText("newSpace.files", files.length)}
                  <Button className="plain square" aria-label={text("newSpace.without")} onPress={() => setFiles([])}>
                    <Icon name="close" />
                  </Button>
                </span>
              )}
            </div>
            <p className="muted">{text(content === "folder" ? "newSpace.folderHelp" : "newSpace.filesHelp")}</p>
            {filesRefusal !== undefined && (
              <p className="field-problem" role="alert">
                {filesRefusal}
              </p>
            )}
          </div>
        )}
        {(content === "website" || content === "git") && (
          <TextField key={content} value={url} onChange={setUrl} type="url" isRequired>
            <Label>{text(content === "git" ? "newSpace.repository" : "newSpace.website")}</Label>
            <Input
              dir="ltr"
              placeholder={
                content === "git" ? "https://github.com/example/docs.git" : "https://docs.example.com/guide/"
              }
            />
            <FieldError className="input-problem" />
            <p className="muted">{text(content === "git" ? "newSpace.gitHelp" : "newSpace.websiteHelp")}</p>
          </TextField>
        )}
        {content === "git" && (
          <TextField value={branch} onChange={setBranch} isRequired>
            <Label>{text("newSpace.branch")}</Label>
            <Input dir="ltr" />
            <FieldError className="input-problem" />
          </TextField>
        )}
        <FormProblem failure={create.error} />
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

/** Report of an import: imported content, and content that was left out or changed. */
const Report = ({ report: { files, pages, problemCount, problems, sentences } }: { readonly report: ImportReport }) => (
  <>
    <p role="status">
      {countedText("newSpace.pages", pages)} {files > 0 && countedText("newSpace.importedFiles", files)}
    </p>
    {/* The first sentence has the numbers of above. */}
    {sentences.length > 1 && (
      <ul className="plain-list" lang="en" dir="ltr">
        {sentences.slice(1).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    )}
    {problemCount > 0 && (
      <details>
        <summary>{countedText("newSpace.omitted", problemCount)}</summary>
        {/* The keys of the cursor scroll it. */}
        <ul className="report" lang="en" dir="ltr" tabIndex={0} aria-label={text("newSpace.omittedList")}>
          {problems.slice(0, maxProblems).map(({ line, message, path }, i) => (
            <li key={i}>
              <code>{line === undefined ? path : `${path}:${line}`}</code> {message}
            </li>
          ))}
        </ul>
        {problemCount > maxProblems && (
          <p className="muted">{countedText("newSpace.more", problemCount - maxProblems)}</p>
        )}
      </details>
    )}
  </>
)

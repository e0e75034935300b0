/** A page of a change request in the editor, with its title, the sign of its saving, and conflicts. */
import { useQuery } from "@tanstack/react-query"
import { Link, useParams } from "@tanstack/react-router"
import { lazy, Suspense, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react"
import { Button, ToggleButton, ToggleButtonGroup } from "react-aria-components"
import { client, queries } from "../api/Queries.ts"
import type { DocumentPage } from "../api/Resources.ts"
import { writeContent } from "../api/Writes.ts"
import { useFeedIsLive } from "../feed/Feed.ts"
import { BarActions, useTitle } from "../frame/Bar.tsx"
import { Icon } from "../frame/Icon.tsx"
import { notifyProblem } from "../frame/Notices.tsx"
import { Loading, Problem } from "../frame/Problem.tsx"
import { holdScreen, useSessionEnded } from "../frame/Session.ts"
import { addRecent } from "../home/Recents.ts"
import { text } from "../language/Language.ts"
import { writingText } from "../language/WritingTexts.ts"
import { EditorConflicts } from "./EditorConflicts.tsx"
import { MarkdownText, useWritingMode, type WritingMode, writingModes } from "./MarkdownText.tsx"
import { OutlineMenu } from "./OutlineMenu.tsx"
import { pageSession } from "./PageSession.ts"
import { findPage } from "./PageTree.ts"
import { SaveSign } from "./SaveSign.tsx"

/** Time between two looks for edits of others while the feed of events has no connection (ms). */
const lookInterval = 15_000

export const EditPage = () => {
  const { number, page: id, space } = useParams({ from: "/spaces/$space/changes/$number/pages/$page" })
  const changeRequest = Number(number)
  const isLive = useFeedIsLive()
  const { data: request, error } = useQuery({
    ...queries.changeRequest(space, changeRequest),
    refetchInterval: isLive ? false : lookInterval
  })
  const { data: pages } = useQuery(queries.pages({ space, changeRequest }))
  if (error) return <Problem failure={error} />
  if (request === undefined || pages === undefined) return <Loading />
  const page = findPage(pages, id)?.page
  if (page === undefined)
    return (
      <div className="empty">
        <h1>{text("editor.gone")}</h1>
        <p>{text("editor.goneText")}</p>
        <Link to="/spaces/$space/changes/$number" params={{ space, number }} className="control">
          {text("editor.back")}
        </Link>
      </div>
    )
  if (request.status === "merged" || request.status === "archived")
    return (
      <div className="empty">
        <h1>{text(request.status === "merged" ? "editor.merged" : "editor.archived")}</h1>
        <p>{text("editor.closedText")}</p>
        <Link to="/spaces/$space/pages/$page" params={{ space, page: id }} className="control">
          {text("editor.read")}
        </Link>
      </div>
    )
  if (page.type !== "document")
    return (
      <div className="empty">
        <h1>{page.title}</h1>
        <p>{text("editor.noText")}</p>
      </div>
    )
  return (
    <OpenPage
      key={`${space} ${number} ${id}`}
      space={space}
      changeRequest={changeRequest}
      page={page}
      revision={request.revision}
    />
  )
}

interface OpenPageProps {
  readonly space: string
  readonly changeRequest: number
  readonly page: DocumentPage
  /** Revision of the change request on the server. */
  readonly revision: string
}

const PageSettings = lazy(async () => ({ default: (await import("./settings/PageSettings.tsx")).PageSettings }))

const OpenPage = ({ space, changeRequest, page: resource, revision }: OpenPageProps) => {
  const { id: page, title, emoji } = resource
  const session = useMemo(() => pageSession({ space, changeRequest, page }), [space, changeRequest, page])
  const { conflicts, failure, hasJournal, save } = useSyncExternalStore(session.subscribe, session.state)
  const parent = useRef<HTMLDivElement>(null)
  const hasEnded = useSessionEnded()
  const [hasSettings, setSettings] = useState(false)
  const [mode, setMode] = useWritingMode()
  const { data: spaceResource } = useQuery(queries.space(space))
  useTitle(title)

  useEffect(() => session.show(parent.current!), [session])
  useEffect(holdScreen, [])
  // The dialog has to be there when the server is not.
  useEffect(() => void import("../frame/SignedOutDialog.tsx"), [])
  useEffect(() => session.announce(revision), [session, revision])
  useEffect(() => {
    if (!hasEnded) session.signedIn()
  }, [session, hasEnded])
  const spaceTitle = spaceResource?.title
  useEffect(() => {
    if (spaceTitle !== undefined) addRecent({ space, page, title, emoji, spaceTitle })
  }, [space, page, title, emoji, spaceTitle])
  // Cached changes of the change request are out of date after this edit.
  useEffect(
    () => () => {
      void client.invalidateQueries({ queryKey: ["change-request", space, changeRequest] })
    },
    [space, changeRequest]
  )

  return (
    <article className={mode === "both" ? "sheet editing both" : "sheet editing"}>
      <BarActions>
        <SaveSign save={save} hasJournal={hasJournal} />
        <Link
          to="/spaces/$space/changes/$number"
          params={{ space, number: String(changeRequest) }}
          className="control primary"
        >
          {text("editor.review")}
        </Link>
      </BarActions>
      <h1 className="hidden">{title}</h1>
      {hasSettings && (
        <Suspense>
          <PageSettings
            space={space}
            changeRequest={changeRequest}
            page={resource}
            onClose={() => setSettings(false)}
          />
        </Suspense>
      )}
      <div className="page-tools">
        <Button className="plain" onPress={() => setSettings(true)}>
          <Icon name="settings" />
          {writingText("settings.pageSettings")}
        </Button>
        {save !== undefined && mode !== "markdown" && <OutlineMenu session={session} />}
        <ToggleButtonGroup
          className="modes"
          aria-label={writingText("markdown.modes")}
          disallowEmptySelection
          selectedKeys={[mode]}
          onSelectionChange={(keys) => setMode([...(keys as Set<WritingMode>)][0]!)}
        >
          {writingModes.map((each) => (
            <ToggleButton key={each} id={each}>
              {writingText(`markdown.mode.${each}`)}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
      </div>
      {failure && <Problem failure={failure} retry={() => location.reload()} />}
      <TitleField
        space={space}
        changeRequest={changeRequest}
        page={page}
        title={title}
        onDone={() => session.focus()}
      />
      {conflicts.length > 0 && (
        <EditorConflicts conflicts={conflicts} onResolve={(conflict, keep) => session.resolve(conflict, keep)} />
      )}
      {save === undefined && failure === undefined && <Loading />}
      <div className="writing" data-mode={mode}>
        <div ref={parent} className="editor-place" dir="auto" hidden={mode === "markdown" && save !== undefined} />
        {mode !== "blocks" && save !== undefined && <MarkdownText session={session} />}
      </div>
    </article>
  )
}

/** Pause after the last key before a title is saved (ms). */
const titlePause = 500

interface TitleFieldProps {
  readonly space: string
  readonly changeRequest: number
  readonly page: string
  readonly title: string
  readonly onDone: () => void
}

/** The title of the page. It is saved after a pause, and at once when the field or the page is left. */
const TitleField = ({ space, changeRequest, page, title, onDone }: TitleFieldProps) => {
  const isUntitled = title === text("page.untitled")
  const [value, setValue] = useState(isUntitled ? "" : title)
  const sent = useRef(title)
  const latest = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const field = useRef<HTMLTextAreaElement>(null)

  // A rename elsewhere, such as in the tree.
  useEffect(() => {
    if (title === sent.current) return
    sent.current = title
    latest.current = title
    setValue(title)
  }, [title])
  useEffect(() => {
    if (isUntitled) field.current?.focus()
    // Only when the page opens.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [])

  const save = (keepalive = false) => {
    clearTimeout(timer.current)
    const next = latest.current.trim()
    if (next === "" || next === sent.current) return
    sent.current = next
    writeContent(space, changeRequest, [{ operation: "update_page", page, title: next }], { keepalive }).catch(
      (failure: unknown) => {
        sent.current = ""
        notifyProblem(failure)
      }
    )
  }
  const saveRef = useRef(save)
  saveRef.current = save
  useEffect(() => {
    const leave = () => saveRef.current(true)
    addEventListener("pagehide", leave)
    return () => {
      removeEventListener("pagehide", leave)
      leave()
    }
  }, [])

  return (
    <textarea
      ref={field}
      className="title-field"
      dir="auto"
      rows={1}
      aria-label={text("editor.title")}
      placeholder={text("editor.title")}
      maxLength={200}
      value={value}
      onChange={(event) => {
        const next = event.target.value.replace(/\s*\n\s*/g, " ")
        setValue(next)
        latest.current = next
        clearTimeout(timer.current)
        timer.current = setTimeout(save, titlePause)
      }}
      onBlur={() => save()}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing || (event.key !== "Enter" && event.key !== "ArrowDown")) return
        if (event.key === "ArrowDown" && field.current!.selectionEnd < value.length) return
        event.preventDefault()
        save()
        onDone()
      }}
    />
  )
}

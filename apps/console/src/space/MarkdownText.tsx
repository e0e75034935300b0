/** The text of a page as raw Markdown, and the choice between blocks, Markdown and both, which a browser remembers. */
import { useEffect, useRef, useState } from "react"
import { notifyProblem } from "../frame/Notices.tsx"
import { Loading } from "../frame/Problem.tsx"
import type { PageSession } from "./PageSession.ts"

export const writingModes = ["blocks", "markdown", "both"] as const

export type WritingMode = (typeof writingModes)[number]

const modeKey = "lectern-writing-mode"

export const useWritingMode = (): readonly [WritingMode, (mode: WritingMode) => void] => {
  const [mode, setMode] = useState(() => {
    const stored = localStorage.getItem(modeKey)
    return writingModes.find((each) => each === stored) ?? "blocks"
  })
  return [
    mode,
    (next) => {
      localStorage.setItem(modeKey, next)
      setMode(next)
    }
  ]
}

export const MarkdownText = ({ session }: { readonly session: PageSession }) => {
  const parent = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    let close: (() => void) | undefined
    let isOver = false
    session.openMarkdown(parent.current!).then((raw) => {
      if (isOver) return raw.close()
      setOpen(true)
      close = raw.close
    }, notifyProblem)
    return () => {
      isOver = true
      close?.()
    }
  }, [session])
  return (
    <>
      {!isOpen && <Loading />}
      <div ref={parent} className="markdown-place" />
    </>
  )
}

/** Parts of a screen in the bar at the top: where the screen is, and its actions. */
import { type ReactNode, useEffect, useState } from "react"
import { createPortal } from "react-dom"

const inElement = (id: string, content: ReactNode) => {
  const [element, setElement] = useState<HTMLElement | null>(null)
  useEffect(() => setElement(document.getElementById(id)), [id])
  return element && createPortal(content, element)
}

export const BarPlace = ({ children }: { readonly children: ReactNode }) => inElement("bar-place", children)

export const BarActions = ({ children }: { readonly children: ReactNode }) => inElement("bar-actions", children)

/** Sets the title of the window. */
export const useTitle = (title: string | undefined): void =>
  useEffect(() => {
    document.title = title === undefined || title === "" ? "Lectern" : `${title} · Lectern`
  }, [title])

import type { ComponentChildren } from "preact"
import { useEffect, useState } from "preact/hooks"
import { root } from "./session.ts"

/** The reader's place: the path within the console, such as `/payments/pi_…`, and the query. */
export interface Place {
  readonly path: string
  readonly query: URLSearchParams
}

const base = (): string => `${root()}/console`

const here = (): Place => ({
  path: location.pathname.slice(base().length).replace(/\/+$/, "") || "/",
  query: new URLSearchParams(location.search),
})

const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}

/** Goes to a path within the console, such as `/payments?status=failed`. */
export const go = (to: string, how: "push" | "replace" = "push"): void => {
  history[how === "push" ? "pushState" : "replaceState"](null, "", `${base()}${to}`)
  tell()
  if (how === "push") document.querySelector("main")?.scrollTo(0, 0)
}

/** Returns the reader's place, and updates when it changes. */
export const usePlace = (): Place => {
  const [place, setPlace] = useState(here)
  useEffect(() => {
    const look = () => setPlace(here())
    listeners.add(look)
    addEventListener("popstate", look)
    return () => {
      listeners.delete(look)
      removeEventListener("popstate", look)
    }
  }, [])
  return place
}

interface LinkProps {
  readonly to: string
  readonly class?: string
  readonly current?: boolean
  readonly children: ComponentChildren
}

export const Link = ({ children, class: name, current, to }: LinkProps) => (
  <a
    href={`${base()}${to}`}
    class={name}
    aria-current={current === true ? "page" : undefined}
    onClick={(event) => {
      const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey
      if (!isPlain) return
      event.preventDefault()
      go(to)
    }}
  >
    {children}
  </a>
)

/** Returns the parameter of a path such as `/payments/:id`; undefined for another path. */
export const within = (path: string, section: string): string | undefined =>
  path.startsWith(`${section}/`) ? decodeURIComponent(path.slice(section.length + 1)) : undefined

import type { ComponentChildren } from "preact"
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { copyText } from "../../shared/copyText.ts"
import { say } from "../data/said.ts"
import { brief, sentence } from "../show/words.ts"

const GOOD = new Set([
  "succeeded",
  "completed",
  "active",
  "enabled",
  "delivered",
  "done",
  "paid",
  "revoked",
  "verified",
  "approved",
  "authorized",
])
const BAD = new Set([
  "failed",
  "refused",
  "rejected",
  "suspended",
  "past_due",
  "uncollectible",
  "disabled",
  "declined",
])
const WARN = new Set([
  "unknown",
  "captured",
  "scanning",
  "delivering",
  "outstanding",
  "under_review",
])

const toneOf = (status: string): string => {
  if (GOOD.has(status)) return "good"
  if (BAD.has(status)) return "bad"
  return WARN.has(status) ? "warn" : "plain"
}

/** A state in a word, with a colour for its meaning. */
export const Badge = ({ status, tone }: { readonly status: string; readonly tone?: string }) => (
  <span class={`badge ${tone ?? toneOf(status)}`}>{sentence(status)}</span>
)

interface IdProps {
  readonly value: string
  readonly whole?: boolean
  /** The text that is shown instead of the value. */
  readonly label?: string
}

/** An id or a link that a click copies. */
export const Id = ({ label, value, whole = false }: IdProps) => {
  const [isCopied, setCopied] = useState(false)
  const copied = () => {
    setCopied(true)
    say("Copied.")
  }
  return (
    <button
      type="button"
      class={label === undefined ? "id" : "act"}
      title={isCopied ? "Copied" : `Copy ${value}`}
      onClick={(event) => {
        event.preventDefault()
        event.stopPropagation()
        void copyText(value, event.currentTarget).then((isDone) => isDone && copied())
      }}
      onBlur={() => setCopied(false)}
    >
      {label ?? (whole ? value : brief(value))}
      <span class="copied">{isCopied ? "Copied" : ""}</span>
    </button>
  )
}

/** Facts with their names. */
export const Facts = ({
  of,
}: {
  readonly of: ReadonlyArray<readonly [name: string, value: ComponentChildren]>
}) => (
  <dl class="facts">
    {of.map(([name, value]) =>
      value === null || value === undefined || value === false ? null : (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ),
    )}
  </dl>
)

/** Makes scrolling elements reachable by keyboard. */
export const SCROLLS = { tabIndex: 0 } as const

/** Data as it is on the wire. */
export const Json = ({ value }: { readonly value: unknown }) => (
  <pre class="json" {...SCROLLS}>
    {typeof value === "string" ? value : JSON.stringify(value, null, 2)}
  </pre>
)

/** Says why something is not shown, and what to do. */
export const Problem = ({
  again,
  text,
}: {
  readonly text: string
  readonly again?: () => void
}) => (
  <div class="problem" role="alert">
    <p>{text}</p>
    {again !== undefined && (
      <button type="button" class="act" onClick={again}>
        Try again
      </button>
    )}
  </div>
)

/** The text of a view that has nothing to show. */
export const Empty = ({
  children,
  isWhole = false,
  title,
}: {
  readonly title: string
  /** Whether it is the view's only content. */
  readonly isWhole?: boolean
  readonly children?: ComponentChildren
}) => (
  <div class={isWhole ? "empty main-empty" : "empty"}>
    <p class="empty-title">{title}</p>
    {children !== undefined && <p class="soft">{children}</p>}
  </div>
)

/** Placeholder bars while data is loading. */
export const Loading = ({ rows = 4 }: { readonly rows?: number }) => (
  <output class="loading" aria-label="Loading">
    {Array.from({ length: rows }, (_, n) => (
      <span key={n} />
    ))}
  </output>
)

interface HeadProps {
  readonly title: ComponentChildren
  readonly text?: ComponentChildren
  readonly children?: ComponentChildren
}

/** The head of a view, with its actions. */
export const Head = ({ children, text, title }: HeadProps) => (
  <header class="head">
    <div>
      <h1>{title}</h1>
      {text !== undefined && <p class="soft">{text}</p>}
    </div>
    {children !== undefined && <div class="acts">{children}</div>}
  </header>
)

/** A named part of a view. */
export const Part = ({ children, text, title }: HeadProps) => (
  <section class="part">
    <div class="part-head">
      <h2>{title}</h2>
      {text !== undefined && <p class="soft small">{text}</p>}
    </div>
    {children}
  </section>
)

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A dialog over the view; Escape and its cross close it. */
export const Dialog = ({ children, onClose, title }: DialogProps) => {
  const element = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const { current } = element
    current?.showModal()
    // Closed before it is removed, so that the focus returns to the element that opened it.
    return () => current?.close()
  }, [])
  // Escape removes it at once. The browser's own close event comes later, and a key press that
  // opens the dialog again in between would be lost.
  const cancel = (event: Event) => {
    event.preventDefault()
    onClose()
  }
  const closed = () => {
    if (element.current !== null) onClose()
  }
  return (
    <dialog
      ref={element}
      class="dialog"
      aria-labelledby="dialog-title"
      onCancel={cancel}
      onClose={closed}
    >
      <header>
        <h2 id="dialog-title">{title}</h2>
        <button type="button" class="cross" aria-label="Close" onClick={onClose}>
          ×
        </button>
      </header>
      {children}
    </dialog>
  )
}

import { useEffect, useRef, useState } from "preact/hooks"
import { onAge } from "./data/age.ts"
import { wordsOf } from "./data/api.ts"
import { go, Link, usePlace, within } from "./data/router.tsx"
import { onSaid } from "./data/said.ts"
import { currentSession, onEnd, type Session, signOut } from "./data/session.ts"
import { Empty, Loading, Problem } from "./parts/basics.tsx"
import { sectionsOf } from "./sections.tsx"
import { setExponents } from "./show/money.ts"
import { sentence } from "./show/words.ts"
import { SignIn } from "./views/SignIn.tsx"

const nameOf = (session: Session): string =>
  session.role === "operator" ? (session.name ?? "Operators") : session.account.name

interface MenuProps {
  readonly session: Session
  readonly onSignOut: () => void
  /** Why the session could not be ended. */
  readonly stuck: string | undefined
}

const Menu = ({ onSignOut, session, stuck }: MenuProps) => {
  const { path } = usePlace()
  const [isOpen, setOpen] = useState(false)
  const groups = Map.groupBy(
    sectionsOf(session).filter(({ isUnlisted }) => isUnlisted !== true),
    ({ group }) => group,
  )
  useEffect(() => setOpen(false), [path])
  return (
    <header class={`menu ${isOpen ? "open" : ""}`}>
      <div class="menu-top">
        <p class="brand">
          payport{session.mode === "sandbox" && <span class="badge plain">sandbox</span>}
        </p>
        <button
          type="button"
          class="act menu-button"
          aria-expanded={isOpen}
          aria-controls="menu"
          onClick={() => setOpen(!isOpen)}
        >
          Menu
        </button>
      </div>
      <nav id="menu" aria-label="Console">
        <div class="menu-groups">
          {[...groups].map(([group, sections]) => (
            <div key={group} class="menu-group">
              <p>{group}</p>
              {sections.map((section) => (
                <Link
                  key={section.path}
                  to={section.path}
                  current={path === section.path || path.startsWith(`${section.path}/`)}
                >
                  {section.name}
                </Link>
              ))}
            </div>
          ))}
        </div>
        <div class="menu-foot">
          <div>
            <p class="clip">{nameOf(session)}</p>
            <p class="soft small">{sentence(session.role)}</p>
          </div>
          <button type="button" class="act" onClick={onSignOut}>
            Sign out
          </button>
        </div>
        {stuck !== undefined && <Problem text={`You are still signed in. ${stuck}`} />}
      </nav>
    </header>
  )
}

/** Announces texts to screen readers, in every view. */
const Said = () => {
  const [text, setText] = useState("")
  useEffect(() => onSaid(setText), [])
  return <output class="hidden">{text}</output>
}

/**
 * Moves the focus to a new view, since the link that led there may be gone. After a page load the
 * focus stays at the top.
 */
const useFocus = (path: string, isEntering: boolean) => {
  const element = useRef<HTMLElement>(null)
  const before = useRef(isEntering ? undefined : path)
  useEffect(() => {
    const isOther = before.current !== path && before.current !== "/"
    before.current = path
    if (isOther) element.current?.focus({ preventScroll: true })
  }, [path])
  return element
}

/** From this age in seconds, readers are told that a list may be old. */
const TOLD_FROM = 2

/** Shows how old lists from replicas are. */
const Age = ({ path }: { readonly path: string }) => {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    setSeconds(0)
    onAge(setSeconds)
  }, [path])
  return seconds < TOLD_FROM ? null : (
    <p class="soft small">What is listed here may be {Math.ceil(seconds)} seconds old.</p>
  )
}

interface ViewProps {
  readonly session: Session
  /** Whether somebody has just signed in. */
  readonly isEntering: boolean
}

const View = ({ isEntering, session }: ViewProps) => {
  const { path } = usePlace()
  const element = useFocus(path, isEntering)
  const sections = sectionsOf(session)
  const found = sections.find(
    (section) => path === section.path || within(path, section.path) !== undefined,
  )
  const [first] = sections
  useEffect(() => {
    if (path === "/" && first !== undefined) go(first.path, "replace")
  }, [path, first])
  const name = found?.name ?? "Console"
  useEffect(() => {
    document.title = `${name} · payport`
  }, [name])
  return (
    <main id="view" ref={element} tabIndex={-1} aria-label={name}>
      <Age path={path} />
      {found?.show(session, within(path, found.path))}
      {found === undefined && path === "/" && <Loading />}
      {found === undefined && path !== "/" && (
        <Empty title="There is no such view">
          It may be another role's. The menu has all of yours.
        </Empty>
      )}
    </main>
  )
}

/** The console: the sign-in form, or the views of the signed-in account. */
export const Console = ({ mode }: { readonly mode: string }) => {
  const [session, setSession] = useState<Session | null>()
  const [why, setWhy] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const [isEntering, setEntering] = useState(false)
  const [stuck, setStuck] = useState<string>()
  const enter = (found: Session | undefined) => {
    setStuck(undefined)
    if (found !== undefined) setExponents(found.exponents)
    setSession(found ?? null)
  }
  const look = () => {
    setProblem(undefined)
    currentSession().then(enter, (error: unknown) => setProblem(wordsOf(error)))
  }
  useEffect(() => {
    onEnd((reason) => {
      setWhy(reason)
      setSession(null)
    })
    look()
  }, [])
  if (problem !== undefined) return <Problem text={problem} again={look} />
  if (session === undefined) return <Loading />
  if (session === null) {
    return (
      <SignIn
        mode={mode}
        why={why}
        onSession={(found) => {
          setEntering(true)
          enter(found)
        }}
      />
    )
  }
  const leave = () => {
    setStuck(undefined)
    signOut().then(
      () => {
        setWhy("You have signed out.")
        setSession(null)
        go("/", "replace")
      },
      (error: unknown) => setStuck(wordsOf(error)),
    )
  }
  return (
    <div class="console">
      <a class="skip" href="#view">
        Skip to the view
      </a>
      <Menu session={session} onSignOut={leave} stuck={stuck} />
      <View session={session} isEntering={isEntering} />
      <Said />
    </div>
  )
}

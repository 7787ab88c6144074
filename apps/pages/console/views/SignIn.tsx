import { useState } from "preact/hooks"
import { useAct } from "../data/hooks.ts"
import { type Session, signIn } from "../data/session.ts"
import { Problem } from "../parts/basics.tsx"

interface SignInProps {
  readonly mode: string
  /** Why the account has to sign in again. */
  readonly why: string | undefined
  readonly onSession: (session: Session) => void
}

/** A form for a key, which the page forgets as soon as it is sent. */
export const SignIn = ({ mode, onSession, why }: SignInProps) => {
  const [key, setKey] = useState("")
  const { act, isActing, refusal } = useAct()
  const send = async () => {
    const session = await signIn(key)
    setKey("")
    onSession(session)
  }
  return (
    <main class="door">
      <form
        class="card door-card"
        onSubmit={(event) => {
          event.preventDefault()
          void act(send)
        }}
      >
        <p class="brand">payport{mode === "sandbox" && <span class="badge plain">sandbox</span>}</p>
        <h1>Sign in to the console</h1>
        <p class="soft small">
          With an API key of a seller or a buyer, or with an operator's key. It is kept sealed in a
          cookie that no script can read.
        </p>
        {why !== undefined && refusal === undefined && <output class="told">{why}</output>}
        <label class="field">
          <span>API key</span>
          <input
            type="password"
            name="key"
            autocomplete="current-password"
            spellcheck={false}
            required
            autofocus
            value={key}
            aria-invalid={refusal !== undefined}
            onInput={(event) => setKey(event.currentTarget.value)}
          />
        </label>
        {refusal !== undefined && <Problem text={refusal} />}
        <button type="submit" class="button" disabled={isActing || key.trim() === ""}>
          {isActing ? "Signing in…" : "Sign in"}
        </button>
        {mode === "sandbox" && (
          <p class="soft small">
            A sandbox keeps keys of a demo seller and buyer in its data folder:{" "}
            <code>.payport/demo-seller.key</code>, <code>.payport/demo-buyer.key</code>.
          </p>
        )}
      </form>
    </main>
  )
}

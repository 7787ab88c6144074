import { useMemo, useState } from "preact/hooks"
import type { Authorization, OauthShowQuery } from "../../../../adapters/http/client/Resources.ts"
import { api } from "../data/api.ts"
import { serviceNow } from "../show/clock.ts"
import { useAct, useAsked, useKeys } from "../data/hooks.ts"
import { usePlace } from "../data/router.tsx"
import { Facts, Head, Loading, Problem } from "../parts/basics.tsx"
import { KeyLimits, noLimits, restrictionsOf } from "../parts/KeyLimits.tsx"

const PARAMETERS = ["scope", "state", "resource"] as const

/** Returns the program's request; unknown parameters are left out. */
const requestOf = (query: URLSearchParams): OauthShowQuery => {
  const more = PARAMETERS.flatMap((name) => {
    const value = query.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  const said = (name: string) => query.get(name) ?? ""
  return {
    // The service checks these values.
    response_type: said("response_type") as "code",
    client_id: said("client_id"),
    redirect_uri: said("redirect_uri"),
    code_challenge: said("code_challenge"),
    code_challenge_method: said("code_challenge_method") as "S256",
    ...Object.fromEntries(more),
  }
}

const WHAT = {
  read: "see payments, prices and services of your account",
  pay: "pay, within the limit that you pick",
} as const

interface ConsentProps {
  readonly asked: Authorization
  readonly request: OauthShowQuery
}

/** What goes on beyond the limits that the person picks for a program that may pay. */
const Renewals = () => (
  <p class="small">
    It can also <strong>subscribe</strong> to services, which costs their price again every period.
    The limits below count a subscription's first period only. Later periods are charged by the
    automatic payments of your agent's install, within the limit and the cap there; without those
    you are asked to pay each one. They go on after this key has ended, until you cancel the
    subscription under Subscriptions.
  </p>
)

/** Shows who asks for which access, and the limit that the person chooses. */
const Consent = ({ asked, request }: ConsentProps) => {
  const [typed, setTyped] = useState(noLimits("30"))
  const { act, isActing, refusal } = useAct()
  const sendOnce = useKeys()
  // Its end is counted from here, so that each try asks for the same.
  const now = useMemo(serviceNow, [])
  const { client_host, client_name, deny_to, is_local, redirect_host, resource, scopes } = asked
  const restrictions = restrictionsOf(typed, now)
  const isReady =
    restrictions !== undefined && (restrictions.budget !== undefined || !scopes.includes("pay"))
  const agree = async () => {
    if (restrictions === undefined) return
    const input = { request, restrictions }
    const { redirect_to } = await sendOnce(input, (options) => api.oauth.authorize(input, options))
    location.assign(redirect_to)
  }
  return (
    <form
      class="form consent"
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady && !isActing) void act(agree)
      }}
    >
      <Facts
        of={[
          ["It calls itself", <q>{client_name}</q>],
          ["It is known by", client_host === null ? "no address" : <code>{client_host}</code>],
          [
            "It is answered at",
            is_local ? (
              `a program on this computer (${redirect_host})`
            ) : (
              <code>{redirect_host}</code>
            ),
          ],
          ["It could", scopes.map((scope) => WHAT[scope]).join("; ")],
          ["Through", <code>{resource}</code>],
        ]}
      />
      <p class="soft small">
        {client_host === null
          ? "Anybody can pick such a name. "
          : "Whoever has that address picked the name. "}
        {is_local && "Every program on this computer can say that it is this one. "}
        Go on only if you have just asked a program to connect.
      </p>
      {scopes.includes("pay") && <Renewals />}
      <KeyLimits typed={typed} onChange={setTyped} mayStay={false} />
      {refusal !== undefined && <Problem text={refusal} />}
      <div class="acts end">
        <a class="act" href={deny_to}>
          Deny
        </a>
        <button type="submit" class="act primary" disabled={!isReady || isActing}>
          {isActing ? "Working…" : "Allow"}
        </button>
      </div>
    </form>
  )
}

/** The consent screen, on which a program asks for a key of the account. */
export const Authorize = () => {
  const { query } = usePlace()
  const request = requestOf(query)
  const { error, value } = useAsked(() => api.oauth.show(request), query.toString())
  return (
    <>
      <Head
        title="A program asks for a key"
        text="It is revoked under API keys, at any time and at once."
      />
      {error !== undefined && <Problem text={error} />}
      {value === undefined && error === undefined && <Loading />}
      {value !== undefined && <Consent key={query.toString()} asked={value} request={request} />}
    </>
  )
}

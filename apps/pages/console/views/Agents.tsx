import { useState } from "preact/hooks"
import type { KycAgent, KycVerification } from "../../../../adapters/http/client/Resources.ts"
import { api } from "../data/api.ts"
import { useAsked } from "../data/hooks.ts"
import type { Session } from "../data/session.ts"
import { AppealState, AskAgain } from "../identity/Appeal.tsx"
import { Verify } from "../identity/Verify.tsx"
import { Badge, Empty, Facts, Head, Id, Loading, Part, Problem } from "../parts/basics.tsx"
import { Confirm } from "../parts/Confirm.tsx"
import { day } from "../show/words.ts"

/** Reads the account's known agents: its own, and those of its installs. */
const ask = async ({ role, ...session }: Session): Promise<ReadonlyArray<KycAgent>> => {
  const own = "account" in session ? [session.account.agent_id] : []
  const installs = role === "buyer" ? (await api.installs.list({ limit: 100 })).data : []
  const names = new Set([...own, ...installs.map(({ agent_id }) => agent_id)])
  return Promise.all([...names].map((name) => api.kyc.getAgent(name)))
}

/** These limits are in whole dollars. */
const dollars = ({ value }: KycAgent["limits"]["daily"]): string =>
  `${value.toLocaleString("en")} USD`

type Verification = KycAgent["verifications"][number]

/** Whether it waits for a code. */
const isAsking = ({ challenge, status }: Verification): boolean =>
  status === "pending" && challenge !== undefined

interface CodeProps {
  readonly verification: Pick<KycVerification, "agent_id" | "challenge" | "verification_id">
  readonly onClose: () => void
  readonly onDone: () => void
}

/** A form for the code that the person got. */
const Code = ({ onClose, onDone, verification }: CodeProps) => {
  const [otp, setOtp] = useState("")
  const { agent_id, challenge, verification_id } = verification
  return (
    <Confirm
      title={`The code for ${agent_id}`}
      label="Send the code"
      isReady={/^\d{4,8}$/.test(otp)}
      act={(options) => api.kyc.verify({ verification_id, otp }, options)}
      onClose={onClose}
      onDone={onDone}
    >
      <p class="soft">
        It was sent by {challenge?.channels.join(" and ") ?? "e-mail"}. A sandbox sends nothing: its
        messages are in the inbox.
      </p>
      <label class="field">
        <span>Code</span>
        <input
          inputMode="numeric"
          autocomplete="one-time-code"
          value={otp}
          onInput={(event) => setOtp(event.currentTarget.value.trim())}
        />
      </label>
    </Confirm>
  )
}

/** Whether it was rejected, and has no appeal yet. */
const isAppealable = ({ appeal_id, status }: Verification): boolean =>
  status === "rejected" && appeal_id === undefined

interface AgentProps {
  readonly agent: KycAgent
  readonly verify: () => void
  readonly enter: (verification: Verification) => void
  readonly appeal: (verification: Verification) => void
}

const Agent = ({ agent, appeal, enter, verify }: AgentProps) => (
  <Part
    title={
      <span class="titled">
        {agent.agent_id} <Badge status={agent.level} />
      </span>
    }
    text={
      <button type="button" class="act" onClick={verify}>
        Verify<span class="hidden"> {agent.agent_id}</span>
      </button>
    }
  >
    <Facts
      of={[
        ["Each payment", dollars(agent.limits.per_transaction)],
        ["A day", dollars(agent.limits.daily)],
        ["Channels", agent.channels.join(", ")],
        ["Until", agent.expires_at === undefined ? null : day(agent.expires_at)],
      ]}
    />
    {agent.verifications.map((verification) => (
      <div key={verification.verification_id} class="line">
        <Badge status={verification.status} /> {verification.level}{" "}
        <Id value={verification.verification_id} />
        <span class="soft small">{day(verification.created_at)}</span>
        {verification.rejection_reason !== undefined && (
          <span>{verification.rejection_reason.message}</span>
        )}
        {verification.compliance_review_required === true && (
          <span class="soft">An operator looks at it.</span>
        )}
        {isAsking(verification) && (
          <button type="button" class="act" onClick={() => enter(verification)}>
            Enter the code
          </button>
        )}
        {isAppealable(verification) && (
          <button type="button" class="act" onClick={() => appeal(verification)}>
            Appeal
          </button>
        )}
        {verification.appeal_id !== undefined && <AppealState id={verification.appeal_id} />}
      </div>
    ))}
  </Part>
)

/** The principals of the account's agents, and the agents' limits. */
export const Agents = ({ session }: { readonly session: Session }) => {
  const { again, error, value } = useAsked(() => ask(session), "")
  const [verifying, setVerifying] = useState<string>()
  const [asked, setAsked] = useState<CodeProps["verification"]>()
  const [rejected, setRejected] = useState<Verification>()
  const isSeller = session.role === "seller"
  return (
    <>
      <Head
        title={isSeller ? "Identity" : "Agents"}
        text={
          isSeller
            ? "Who you are decides how much you may be paid by people whom nobody has verified."
            : "Whom they act for decides how much they may pay."
        }
      >
        {!isSeller && (
          <button type="button" class="act primary" onClick={() => setVerifying("")}>
            Verify another agent
          </button>
        )}
      </Head>
      {error !== undefined && <Problem text={error} again={again} />}
      {value === undefined && error === undefined && <Loading />}
      {value?.length === 0 && <Empty title="No agent yet" />}
      {value?.map((agent) => (
        <Agent
          key={agent.agent_id}
          agent={agent}
          verify={() => setVerifying(agent.agent_id)}
          enter={setAsked}
          appeal={setRejected}
        />
      ))}
      {rejected !== undefined && (
        <AskAgain
          agent={rejected.agent_id}
          verification_id={rejected.verification_id}
          onClose={() => setRejected(undefined)}
          onDone={() => {
            setRejected(undefined)
            again()
          }}
        />
      )}
      {verifying !== undefined && (
        <Verify
          agent={verifying}
          onClose={() => setVerifying(undefined)}
          onDone={(made) => {
            setVerifying(undefined)
            again()
            if (made?.challenge !== undefined) setAsked(made)
          }}
        />
      )}
      {asked !== undefined && (
        <Code
          verification={asked}
          onClose={() => setAsked(undefined)}
          onDone={() => {
            setAsked(undefined)
            again()
          }}
        />
      )}
    </>
  )
}

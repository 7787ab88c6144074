import { Effect } from "effect"
import { authenticate } from "../../core/accounts/authenticate.ts"
import type { CodeInput } from "../../core/oauth/TokenInput.ts"
import { redeemCode, refreshTokens, revokeToken } from "../../core/oauth/tokens.ts"
import type { Timestamp } from "../../core/shared/Timestamp.ts"
import type { Use } from "../auditor/invariants/programs.ts"
import type { Chance } from "../random/Chance.ts"
import type { Scene } from "../world/Stage.ts"

/** The address of the tools that people's consents are for. */
export const RESOURCE = "https://payport.example/mcp"

/** A program, and what a person has consented to. */
export interface Grant {
  readonly scene: Scene
  readonly chance: Chance
  readonly client_id: string
  readonly other_client: string
  readonly verifier: string
  readonly code: string
  readonly key_id: string
  readonly redirect_uri: string
  readonly consented: readonly [from: Timestamp, to: Timestamp]
}

/** The tokens that a program was given, in their order. */
export interface Tokens {
  readonly access: string
  readonly refresh: string
}

interface Answer {
  readonly outcome: Use["outcome"]
  readonly tokens?: Tokens
}

/** An attempt, and what it is to the auditor. */
export interface Attempt {
  readonly use: Pick<Use, "generation" | "isRight" | "type">
  readonly verb: Effect.Effect<Answer, unknown, Effect.Services<ReturnType<typeof redeemCode>>>
}

const answered = <R>(
  verb: Effect.Effect<{ access_token: string; refresh_token: string }, { _tag: string }, R>,
) =>
  verb.pipe(
    Effect.map(({ access_token, refresh_token }): Answer => ({
      outcome: "given",
      tokens: { access: access_token, refresh: refresh_token },
    })),
    Effect.catchTag("OauthRefusal", () => Effect.succeed<Answer>({ outcome: "refused" })),
  )

/** Exchanges the code: rightly, or with another program's id, verifier, address or resource. */
export const exchange = ({ chance, code, other_client, verifier, ...grant }: Grant): Attempt => {
  const { client_id, redirect_uri } = grant
  const right = { client_id, code, code_verifier: verifier, redirect_uri }
  const isRight = chance.hits(0.75)
  const wrong = chance.pick<Partial<CodeInput>>([
    { client_id: other_client },
    { code_verifier: verifier.replace(/.$/, "_") },
    { redirect_uri: `${redirect_uri}/elsewhere` },
    { resource: `${RESOURCE}/market` },
  ])
  const input = isRight ? right : { ...right, ...wrong }
  return { use: { type: "code", generation: 0, isRight }, verb: answered(redeemCode(input)) }
}

/** Uses one of the tokens: mostly the latest, sometimes an earlier one or as another program. */
export const useToken = (
  { chance, client_id, other_client }: Grant,
  all: readonly [Tokens, ...ReadonlyArray<Tokens>],
): Attempt => {
  const n = chance.hits(0.85) ? all.length - 1 : chance.int(0, all.length - 1)
  const { access, refresh } = all[n] ?? all[0]
  const generation = n + 1
  const isRight = chance.hits(0.85)
  const client = isRight ? client_id : other_client
  const type = chance.weighted<Use["type"]>([
    [5, "access"],
    [4, "refresh"],
    [0.4, "revoke"],
    [0.4, "revoke_access"],
  ])
  switch (type) {
    case "access": {
      const resource = isRight ? RESOURCE : chance.pick([undefined, `${RESOURCE}/market`])
      const opened = authenticate(`Bearer ${access}`, undefined, resource).pipe(
        Effect.as<Answer>({ outcome: "given" }),
        Effect.catchTag("Failure", (failure) =>
          failure.code === "INVALID_API_KEY"
            ? Effect.succeed<Answer>({ outcome: "refused" })
            : Effect.fail(failure),
        ),
      )
      return { use: { type, generation, isRight }, verb: opened }
    }
    case "revoke":
    case "revoke_access": {
      const token = type === "revoke" ? refresh : access
      const revoked = revokeToken({ client_id: client, token })
      const verb = Effect.as(revoked, { outcome: "given" } as const)
      return { use: { type, generation, isRight }, verb }
    }
    default: {
      const input = { client_id: client, refresh_token: refresh }
      return { use: { type: "refresh", generation, isRight }, verb: answered(refreshTokens(input)) }
    }
  }
}

import { createHash } from "node:crypto"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { agentRecordId } from "../../../../core/kyc/agents/Agent.ts"
import { isId } from "../../../../core/shared/Id.ts"

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

describe("the id of an agent's record", () => {
  it("is an identifier, and the same for the same agent", () => {
    fc.assert(
      fc.property(fc.string(), (agent) => {
        const id = agentRecordId("acct_1", agent, sha256)
        expect(isId("agt", id)).toBe(true)
        expect(agentRecordId("acct_1", agent, sha256)).toBe(id)
        expect(agentRecordId("acct_2", agent, sha256)).not.toBe(id)
      }),
    )
  })
})

import { describe, expect, test } from "vitest"
import { CHANNEL_CHECKS, channelGrader } from "../../../../apps/grade/channel/grader.ts"
import { sourceText } from "../../../support/sourceFiles.ts"
import { gradeAs, namesOf } from "../grade.ts"
import { MUTANTS, UNSEEN } from "./mutants.ts"
import { AGREED, CHANNEL, serveGateway } from "./subject.ts"

const grade = (url: string, ...args: ReadonlyArray<string>) => {
  const agreed = ["--channel", CHANNEL, "--key-id", AGREED.key_id, "--secret", AGREED.secret]
  return gradeAs(channelGrader, url, ...agreed, ...args)
}

const paying = (url: string) => ["--pay", `${url}/wallet/${CHANNEL}/{out_trade_no}/pay`]

describe("our own gateway", () => {
  test("passes every check", async () => {
    const url = await serveGateway({})
    const checks = await grade(url, ...paying(url))
    expect(checks.filter(({ verdict }) => verdict.outcome === "failed")).toEqual([])
    expect(namesOf(checks, "not_judged")).toEqual(["callbacks"])
  })

  test("is not judged by payments that nobody makes", async () => {
    const checks = await grade(await serveGateway({}))
    expect(namesOf(checks, "failed")).toEqual([])
    const silent = "capture same-answer too-much captured-once released copies refund statement"
    expect(namesOf(checks, "not_judged")).toEqual([...silent.split(" "), "callbacks"])
  })
})

describe("a gateway with a bug", () => {
  test.each(MUTANTS)("that $name is named", async ({ named, parts }) => {
    const url = await serveGateway(parts())
    const checks = await grade(url, ...paying(url))
    expect(namesOf(checks, "failed")).toEqual(expect.arrayContaining([...named]))
  })

  test.each(UNSEEN)("that $name is not seen", async ({ parts }) => {
    const url = await serveGateway(parts())
    expect(namesOf(await grade(url, ...paying(url)), "failed")).toEqual([])
  })

  test("is named as often as the README says", async () => {
    const all = MUTANTS.length + UNSEEN.length
    const said = `| \`channel\` | ${CHANNEL_CHECKS.length} | ${MUTANTS.length} of ${all} |`
    expect(await sourceText("apps/grade/README.md")).toContain(said)
  })
})

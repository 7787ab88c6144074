import { Worker } from "node:worker_threads"
import { afterEach, expect, test } from "vitest"
import { ask, makeLine } from "./Line.ts"

let worker: Worker | undefined
afterEach(() => worker?.terminate())

const open = () => {
  const line = makeLine()
  worker = new Worker(new URL("./countingWorker.ts", import.meta.url), { workerData: line })
  return line
}

test("each question is answered once, in its turn", () => {
  const line = open()
  for (const times of [1, 2, 3]) {
    expect(ask(line, `number ${times}`)).toStrictEqual({ question: `number ${times}`, times })
  }
})

test("an answer may be longer than anything said before", () => {
  const line = open()
  const question = "long".repeat(1_000_000)
  expect(ask(line, question)).toStrictEqual({ question, times: 1 })
  expect(ask(line, "short")).toStrictEqual({ question: "short", times: 2 })
})

test("a thread that is woken without being asked answers nothing", () => {
  const line = open()
  expect(ask(line, "one")).toStrictEqual({ question: "one", times: 1 })
  for (let woken = 0; woken < 3;) woken += Atomics.notify(line.control, 0)
  expect(ask(line, "two")).toStrictEqual({ question: "two", times: 2 })
})

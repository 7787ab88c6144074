import type { Task } from "./Task.ts"

const STOP =
  "Pay nothing else. Where it cannot be done for that, or you cannot tell, stop and say so."

const buys = (task: Omit<Task, "text">): string =>
  `Buy "${task.service_name}" once${task.service_id === undefined ? "" : ` (${task.service_id})`}`

const most = ({ budget, currency }: Omit<Task, "text">): string =>
  `for ${budget} minor units of ${currency} at most`

/** Returns the task in words. */
export const textOf = (task: Omit<Task, "text">): string => {
  const { api_key: _, kind } = task
  switch (kind) {
    case "service":
      return `${buys(task)}, ${most(task)}, from the service at ${task.payport_url}. ${STOP}`
    case "quote":
      return (
        `${buys(task)}, ${most(task)}, at the price of a quote: POST /v1/fx/quotes, then ` +
        `POST /v1/fx/routes at ${task.payport_url}. ${STOP}`
      )
    case "tools":
      return `${buys(task)}, ${most(task)}, with the tools at ${task.mcp_url}. ${STOP}`
    case "resource":
      return `Get ${task.resource}, which is paid to ${task.pay_to}, ${most(task)}. ${STOP}`
    case "refund":
      return `Ask the whole payment ${task.payment_intent} back, and say whether the money came.`
    case "webhook":
      return (
        `${buys(task)}, ${most(task)}. Webhooks tell you what becomes of it; where they say that ` +
        `it failed, try once more. ${STOP}`
      )
  }
}

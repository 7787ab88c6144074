import { Effect } from "effect";
import { MINUTE } from "../../core/shared/Timestamp.js";
/** How often what is listed is looked at in a world, so that little has to be waited for. */
export const LOOKED_AT_EVERY = 2 * MINUTE;
/** Whether somebody is told of a price. */
const answerOf = (asking) => {
    if (asking === null)
        return { type: "silent", reason: "timeout" };
    const offer = {
        ...asking,
        scheme: "exact",
        network: "payport:sandbox",
        max_timeout_seconds: 300,
    };
    const said = { description: null, mime_type: null, declared: null };
    return { type: "payment_required", offers: [offer], template: null, said };
};
/** What is sold at addresses of sellers' own: each says what it asks for, until it says no more. */
export class Shops {
    #asking = new Map();
    #auditor;
    probe;
    constructor(auditor) {
        this.#auditor = auditor;
        this.probe = {
            ask: ({ url }) => Effect.sync(() => {
                const asking = this.#asking.get(url) ?? null;
                auditor.see("probed", url, { resource: url, asking });
                return answerOf(asking);
            }),
        };
    }
    /** From now on the resource asks for that; null for nothing at all. */
    ask(resource, asking) {
        if (asking === null)
            this.#asking.delete(resource);
        else
            this.#asking.set(resource, asking);
        this.#auditor.see("shop", resource, { resource, asking });
    }
}
//# sourceMappingURL=shops.js.map
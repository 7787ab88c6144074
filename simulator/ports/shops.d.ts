import type { ResourceProbe } from "../../core/ports/ResourceProbe.ts";
import type { Money } from "../../core/shared/Money.ts";
import type { Auditor } from "../auditor/Auditor.ts";
/** How often what is listed is looked at in a world, so that little has to be waited for. */
export declare const LOOKED_AT_EVERY: number;
/** What a resource of a seller's asks of those who have not paid; null while it says nothing. */
export interface Asking {
    readonly pay_to: string;
    readonly amount: Money;
}
/** What is sold at addresses of sellers' own: each says what it asks for, until it says no more. */
export declare class Shops {
    #private;
    readonly probe: ResourceProbe["Service"];
    constructor(auditor: Auditor);
    /** From now on the resource asks for that; null for nothing at all. */
    ask(resource: string, asking: Asking | null): void;
}
//# sourceMappingURL=shops.d.ts.map
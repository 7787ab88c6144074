declare module "paynowqr" {
  class PaynowQR {
    constructor(said: {
      readonly uen: string
      readonly amount: number
      readonly editable: boolean
      readonly expiry: string
      readonly refNumber: string
      readonly company: string
    })
    output(): string
  }
  export default PaynowQR
}

declare module "bakong-khqr" {
  interface Made {
    readonly data: { readonly qr: string }
  }
  type Terms = { readonly [name: string]: string | number }
  export const IndividualInfo: new (
    account: string,
    name: string,
    city: string,
    terms: Terms,
  ) => object
  export const MerchantInfo: new (
    account: string,
    name: string,
    city: string,
    merchantId: string,
    bank: string,
    terms: Terms,
  ) => object
  export class BakongKHQR {
    generateIndividual(info: object): Made
    generateMerchant(info: object): Made
  }
  export const khqrData: { readonly currency: { readonly khr: number; readonly usd: number } }
}

declare module "steplix-emv-qrcps" {
  interface Template {
    setGloballyUniqueIdentifier(value: string): void
    addPaymentNetworkSpecific(tag: string, value: string): void
  }
  interface AdditionalData {
    setReferenceLabel(value: string): void
  }
  interface Code {
    setPayloadFormatIndicator(value: string): void
    setPointOfInitiationMethod(value: string): void
    addMerchantAccountInformation(tag: string, template: Template): void
    setMerchantCategoryCode(value: string): void
    setTransactionCurrency(value: string): void
    setTransactionAmount(value: string): void
    setCountryCode(value: string): void
    setMerchantName(value: string): void
    setMerchantCity(value: string): void
    setAdditionalDataFieldTemplate(data: AdditionalData): void
    generatePayload(): string
  }
  export const Merchant: {
    buildEMVQR(): Code
    buildMerchantAccountInformation(): Template
    buildAdditionalDataFieldTemplate(): AdditionalData
  }
}

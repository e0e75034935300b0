declare module "parse-prometheus-text-format" {
  export interface Family {
    readonly name: string
    readonly type: string
    readonly metrics: ReadonlyArray<{ readonly value?: string }>
  }
  export default function parse(text: string): ReadonlyArray<Family>
}

declare module "newman" {
  export interface NewmanRun {
    stats: { assertions: { total: number } };
    failures: { source?: { name: string }; error: Error }[];
    executions: { response?: { code: number; headers: { get(name: string): string | undefined } } }[];
  }
  export function run(
    options: { collection: object; reporters?: string[] },
    done: (error: Error | null, summary: { run: NewmanRun }) => void,
  ): void;
}

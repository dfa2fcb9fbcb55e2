declare module "newman" {
  interface Summary {
    run: {
      stats: { assertions: { total: number } };
      failures: { source?: { name: string }; error: Error }[];
    };
  }
  export function run(
    options: { collection: object; envVar: { key: string; value: string }[]; reporters?: string[] },
    done: (error: Error | null, summary: Summary) => void,
  ): void;
}

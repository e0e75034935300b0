import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["packages/*/test/**/*.test.ts", "apps/*/test/**/*.test.ts", "examples/**/*.test.ts"],
    // Tests wait for processes and disks as well: one worker for each processor, not one fewer.
    maxWorkers: "100%",
    testTimeout: 30_000,
    hookTimeout: 30_000
  }
})

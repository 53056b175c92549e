/** The warnings on the console while `run` ran. */
export function warnings(run: () => void): string[] {
  const said: string[] = [], { warn } = console;
  console.warn = (text) => said.push(`${text}`);
  try {
    run();
  } finally {
    console.warn = warn;
  }
  return said;
}

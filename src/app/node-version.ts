const wanted = 24;

/** The message if Node is too old; otherwise undefined. Older versions of Node must be able to run this file. */
export const nodeProblem: string | undefined =
  Number.parseInt(process.versions.node, 10) < wanted
    ? `Wield needs Node ${wanted} or newer, and this is Node ${process.versions.node}. Install a newer one: https://nodejs.org`
    : undefined;

const wanted = 24;

/** What to tell somebody whose Node is too old; undefined where it is not. Older Nodes must be able to run this file. */
export const nodeProblem: string | undefined =
  Number.parseInt(process.versions.node, 10) < wanted
    ? `Wield needs Node ${wanted} or newer, and this is Node ${process.versions.node}. Install a newer one: https://nodejs.org`
    : undefined;

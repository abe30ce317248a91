/** The part of the DOM that reading a page needs, as linkedom provides it. */
export interface DomNode {
  readonly nodeType: number;
  textContent: string | null;
  readonly childNodes: ArrayLike<DomNode>;
  readonly parentNode: DomNode | null;
}

export interface DomElement extends DomNode {
  readonly localName: string;
  readonly parentNode: DomElement | null;
  innerHTML: string;
  getAttribute(name: string): string | null;
  removeAttribute(name: string): void;
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): Iterable<DomElement>;
  remove(): void;
  replaceWith(node: DomNode): void;
}

export interface DomDocument extends DomNode {
  readonly body: DomElement;
  readonly title: string;
  createElement(name: string): DomElement;
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): Iterable<DomElement>;
}

export function isElement(node: DomNode): node is DomElement {
  return node.nodeType === 1;
}

export function isText(node: DomNode): boolean {
  return node.nodeType === 3;
}

import { expect, test } from "vitest";
import * as testing from "@rehearsal/actions/testing";
import { testShare } from "./share.mjs";

test("share copies the link", () => testShare(testing, (seen, expected) => expect(seen).toEqual(expected)));

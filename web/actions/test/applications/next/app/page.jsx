"use client";
import { useEffect } from "react";

export default function Page() {
  useEffect(() => void import("../main"), []);
  return <p>an application in Next.js</p>;
}

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { json, startService } from "./fake-internet.suite.ts";
import { createWeather } from "./weather.ts";

const never = new AbortController().signal;
let service: Awaited<ReturnType<typeof startService>>;
let asked: URL[] = [];

beforeAll(async () => {
  service = await startService((request, response) => {
    const url = new URL(request.url ?? "", "http://127.0.0.1");
    asked.push(url);
    if (url.pathname === "/v1/search") {
      const found = {
        id: 2267057,
        name: "Lisbon",
        latitude: 38.71667,
        longitude: -9.13333,
        country: "Portugal",
        admin1: "Lisbon District",
      };
      json(
        response,
        url.searchParams.get("name") === "Lisbon"
          ? { results: [found], generationtime_ms: 0.5 }
          : { generationtime_ms: 0.2 },
      );
    } else if (url.searchParams.get("latitude") === "1")
      json(
        response,
        { error: true, reason: "Daily API request limit exceeded. Please try again tomorrow." },
        429,
      );
    else
      json(response, {
        latitude: 38.7,
        longitude: -9.125,
        timezone: "Europe/Lisbon",
        current_units: {
          time: "iso8601",
          temperature_2m: "°C",
          apparent_temperature: "°C",
          relative_humidity_2m: "%",
          weather_code: "wmo code",
          wind_speed_10m: "km/h",
          wind_direction_10m: "°",
        },
        current: {
          time: "2026-11-15T09:15",
          interval: 900,
          temperature_2m: 17.3,
          apparent_temperature: 16.1,
          relative_humidity_2m: 71,
          weather_code: 61,
          wind_speed_10m: 14.4,
          wind_direction_10m: 314,
        },
      });
  });
});
afterAll(() => service.close());

describe("weather", () => {
  const weather = (place: Parameters<ReturnType<typeof createWeather>>[0]) => {
    asked = [];
    return createWeather({ geocodingUrl: service.url, forecastUrl: service.url })(place, never);
  };

  it("of a city", async () => {
    expect(await weather({ city: "Lisbon" })).toEqual({
      place: "Lisbon, Lisbon District, Portugal",
      latitude: 38.71667,
      longitude: -9.13333,
      time: "2026-11-15T09:15",
      temperature: { value: 17.3, unit: "°C" },
      feelsLike: { value: 16.1, unit: "°C" },
      conditions: "light rain",
      humidity: { value: 71, unit: "%" },
      wind: { value: 14.4, unit: "km/h", direction: "NW" },
    });
    expect(asked.map((url) => url.pathname)).toEqual(["/v1/search", "/v1/forecast"]);
    expect(asked[1]?.searchParams.get("current")).toBe(
      "temperature_2m,apparent_temperature,relative_humidity_2m,weather_code,wind_speed_10m,wind_direction_10m",
    );
  });

  it("of coordinates, without asking for the place", async () => {
    expect(await weather({ latitude: 59.91, longitude: 10.75 })).toMatchObject({ place: "59.91, 10.75" });
    expect(asked).toHaveLength(1);
  });

  it("of a place that does not exist says so", async () => {
    await expect(weather({ city: "Nowhereville" })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining("Nowhereville"),
    });
  });

  it("past the limit says so", async () => {
    await expect(weather({ latitude: 1, longitude: 1 })).rejects.toMatchObject({
      code: "LIMIT_EXCEEDED",
      message: expect.stringContaining("Daily API request limit exceeded"),
    });
  });
});
